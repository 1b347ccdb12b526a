//! Parsed expressions and statements.
//!
//! Chains of calls, selectors and operators are stored as lists, so long chains do not cause deep
//! recursion.

use std::rc::Rc;

use super::file::Span;

/// A parsed expression or type, with its token range.
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
    /// A floating-point number or a rune, which have no [`crate::value::Value`].
    OtherLiteral,
    /// Function literal `func(…) {…}`.
    Function(Rc<Lambda>),
    /// Composite literal `T{…}`. Inside another literal, the type can be omitted.
    Composite {
        kind: Option<Box<Node>>,
        elements: Vec<Element>,
    },
    /// Base and links of a chain such as `base.name(…)[…]`.
    Chain(Box<Node>, Vec<Link>),
    /// Unary operator and operand, such as `!x`, `*x`, `&x` or `-x`.
    Prefix(&'static str, Box<Node>),
    /// Operands and binary operators from left to right, such as `a + b + c`.
    Operators(Box<Node>, Vec<(&'static str, Node)>),
    /// Element type of `[]T` or `[4]T`.
    ListType(Box<Node>),
    /// Key and value types of `map[K]V`.
    MapType(Box<Node>, Box<Node>),
    /// Tokens between the braces of `struct {…}`.
    StructType(Span),
    /// A function type, an interface or a channel; not supported as a value.
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
    /// Selector `.name`.
    Select(String),
    /// Call `(a, b)`, or `(a, b...)` if `spreads` is true.
    Call { arguments: Vec<Node>, spreads: bool },
    /// Index `[a]`, or type arguments.
    Index(Vec<Node>),
    /// Slice `[a:b]`; either bound can be missing.
    Slice(Option<Box<Node>>, Option<Box<Node>>),
    /// Type assertion `.(T)`.
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
    /// Names and values of `a, b := …`.
    Define(Vec<String>, Vec<Node>),
    /// Targets and values of `a, b = …`.
    Assign(Vec<Node>, Vec<Node>),
    /// Target, binary operator and operand of `a += b`.
    Change(Node, &'static str, Node),
    /// Local variables, such as `var a T` or `var a = …`.
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
    /// Range loop `for key, value := range over {…}`.
    Range {
        key: Option<String>,
        value: Option<String>,
        over: Node,
        body: Vec<Statement>,
    },
    /// Loop `for before; condition; after {…}`; all three parts are optional.
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
