//! Parsed expressions and statements.
//!
//! Chains of calls and selectors, and chains of operators, are stored as lists, so that long
//! chains do not cause deep recursion.

use std::rc::Rc;

use super::file::Span;

/// An expression or a type, with its tokens.
#[derive(Debug)]
pub struct Node {
    pub(crate) span: Span,
    pub(crate) expression: Expression,
}

#[derive(Debug)]
pub(crate) enum Expression {
    Name(String),
    Text(Rc<str>),
    Integer(i128),
    /// A floating-point number or a rune, which are not supported as values.
    OtherLiteral,
    /// `func(…) {…}`
    Function(Rc<Lambda>),
    /// `T{…}`; the type can be omitted inside another literal.
    Composite {
        kind: Option<Box<Node>>,
        elements: Vec<Element>,
    },
    /// `base.name(…)[…]`
    Chain(Box<Node>, Vec<Link>),
    /// `!x`, `*x`, `&x`, `-x`
    Prefix(&'static str, Box<Node>),
    /// `a + b + c`, from left to right.
    Operators(Box<Node>, Vec<(&'static str, Node)>),
    /// `[]T`, `[4]T`
    ListType(Box<Node>),
    /// `map[K]V`
    MapType(Box<Node>, Box<Node>),
    /// `struct {…}`: what is between the braces.
    StructType(Span),
    /// A function type, an interface or a channel.
    OtherType,
}

#[derive(Debug)]
pub(crate) struct Lambda {
    pub(crate) parameters: Span,
    pub(crate) body: Span,
}

#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) key: Option<Node>,
    pub(crate) value: Node,
}

#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) last: usize,
    pub(crate) what: LinkKind,
}

#[derive(Debug)]
pub(crate) enum LinkKind {
    /// `.name`
    Select(String),
    /// `(a, b...)`
    Call { arguments: Vec<Node>, spreads: bool },
    /// `[a]`, or type arguments.
    Index(Vec<Node>),
    /// `[a:b]`
    Slice(Option<Box<Node>>, Option<Box<Node>>),
    /// `.(T)`
    Assertion,
}

#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) span: Span,
    pub(crate) what: StatementKind,
}

#[derive(Debug)]
pub(crate) enum StatementKind {
    Expression(Node),
    /// `a, b := …`
    Define(Vec<String>, Vec<Node>),
    /// `a, b = …`
    Assign(Vec<Node>, Vec<Node>),
    /// `a += b`, stored with the binary operator.
    Change(Node, &'static str, Node),
    /// `var a T`, `var a = …`
    Variables {
        names: Vec<String>,
        kind: Option<Node>,
        values: Vec<Node>,
    },
    Block(Vec<Statement>),
    If {
        before: Option<Box<Statement>>,
        condition: Node,
        then: Vec<Statement>,
        otherwise: Option<Box<Statement>>,
    },
    /// `for key, value := range over {…}`
    Range {
        key: Option<String>,
        value: Option<String>,
        over: Node,
        body: Vec<Statement>,
    },
    /// `for before; condition; after {…}`
    Loop {
        before: Option<Box<Statement>>,
        condition: Option<Node>,
        after: Option<Box<Statement>>,
        body: Vec<Statement>,
    },
    Return(Vec<Node>),
    Break,
    Continue,
    Nothing,
}
