//! Go values, and the storage for mutable values.
//!
//! Values are indexes into one [`Heap`], so cyclic values can be dropped without recursion.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::file::{File, Span};
use super::program::Package;
use super::{Result, Unread};

/// Limits keys of structs that refer to the same struct repeatedly. The key of a feature has three
/// parts.
const MAX_KEY_PARTS: u32 = 16;

/// A Go value. Mutable values are indexes into a [`Heap`].
#[derive(Clone, Debug)]
pub enum Value {
    /// `nil` of any type, and the result of a function without results.
    Nil,
    /// A boolean value.
    Bool(bool),
    /// Value of an integer or a rune.
    Integer(i128),
    /// Value of a string.
    Text(Rc<str>),
    /// Slice or array, as an index into [`Heap::lists`].
    List(usize),
    /// Map or set, as an index into [`Heap::maps`]. Several variables can share a map.
    Map(usize),
    /// Struct, as an index into [`Heap::structs`]. An assignment creates a new struct.
    Struct(usize),
    /// Pointer to a variable, as an index into [`Heap::slots`].
    Pointer(usize),
    /// A function or a closure, with captured variables.
    Function(Rc<Closure>),
    /// A method value: receiver and method name.
    Method(Rc<(Value, String)>),
    /// A type as a value, such as in a conversion.
    Type(Rc<Type>),
    /// A package of the same module.
    Package(Rc<Package>),
    /// A package of another module, by its import path.
    Library(Rc<str>),
    /// A member of a package of another module: import path and name.
    Foreign(Rc<str>, Rc<str>),
    /// A predeclared function, such as `append`.
    Builtin(&'static str),
    /// Results of a call that returns several values.
    Several(Rc<Vec<Value>>),
    /// A value of an unsupported type.
    Other,
    /// A value that could not be evaluated. Its use causes the error.
    Unread(Rc<Unread>),
}

/// A Go type, as far as values need it.
#[derive(Clone, Debug)]
pub enum Type {
    /// The type `string`.
    Text,
    /// The type `bool`.
    Bool,
    /// An integer type of any size.
    Integer,
    /// A slice or an array, with its element type.
    List(Rc<Type>),
    /// A map, with its key and value types.
    Map(Rc<Type>, Rc<Type>),
    /// `sets.Set` or another set, with any element type.
    Set,
    /// A pointer, with its target type.
    Pointer(Rc<Type>),
    /// A named type: its package and name.
    Named(Rc<Package>, String),
    /// Names and types of the fields in order, and the package and file that declare the struct.
    Struct(Rc<Vec<(String, Option<Span>)>>, Rc<Package>, Rc<File>),
    /// A type in a package of another module.
    Foreign(String),
    /// A function, an interface or a channel.
    Other,
}

/// A function in the sources, with its captured variables.
#[derive(Debug)]
pub struct Closure {
    pub(crate) package: Rc<Package>,
    pub(crate) file: Rc<File>,
    pub(crate) receiver: Option<Span>,
    pub(crate) parameters: Span,
    pub(crate) body: Span,
    pub(crate) scope: Option<usize>,
}

/// Comparison key for maps and sets.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// Key of `nil`.
    Nil,
    /// Key of a boolean.
    Bool(bool),
    /// Key of an integer.
    Integer(i128),
    /// Key of a string.
    Text(Rc<str>),
    /// Names and keys of the fields that are not zero.
    Fields(Rc<Vec<(String, Key)>>),
}

/// A map or a set. The values of a set are ignored.
#[derive(Clone, Debug, Default)]
pub struct Map {
    /// Original keys and values by comparison key.
    pub entries: BTreeMap<Key, (Value, Value)>,
    /// Errors of keys that could not be evaluated.
    pub unread: Vec<Rc<Unread>>,
}

/// A struct value, with the position of its literal.
#[derive(Clone, Debug)]
pub struct Struct {
    /// Declared type, which determines the fields and their zero values.
    pub kind: Rc<Type>,
    /// Explicit fields. All others are zero.
    pub fields: BTreeMap<String, Value>,
    /// File that contains the literal.
    pub file: Rc<File>,
    /// Line of the literal, from 1.
    pub line: u32,
}

/// A variable, which pointers and closures can share.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Value of the last assignment.
    pub value: Value,
    /// Error if an unsupported statement could have changed the variable; otherwise `None`.
    pub(crate) unread: Option<Rc<Unread>>,
}

#[derive(Debug, Default)]
pub(crate) struct Scope {
    pub(crate) variables: BTreeMap<String, usize>,
    pub(crate) outer: Option<usize>,
}

/// Mutable values, which [`Value`] refers to by index.
#[derive(Debug, Default)]
pub struct Heap {
    /// Elements of lists, see [`Value::List`].
    pub lists: Vec<Vec<Value>>,
    /// Entries of maps and sets, see [`Value::Map`].
    pub maps: Vec<Map>,
    /// Fields of structs, see [`Value::Struct`].
    pub structs: Vec<Struct>,
    /// Variables, see [`Value::Pointer`].
    pub slots: Vec<Slot>,
    pub(crate) scopes: Vec<Scope>,
}

impl Heap {
    /// Stores a list and returns its value.
    pub fn add_list(&mut self, list: Vec<Value>) -> Value {
        self.lists.push(list);
        Value::List(self.lists.len() - 1)
    }

    /// Stores a map and returns its value.
    pub fn add_map(&mut self, map: Map) -> Value {
        self.maps.push(map);
        Value::Map(self.maps.len() - 1)
    }

    /// Stores a struct and returns its value.
    pub fn add_struct(&mut self, one: Struct) -> Value {
        self.structs.push(one);
        Value::Struct(self.structs.len() - 1)
    }

    /// Stores a variable and returns its index for [`Value::Pointer`].
    pub fn add_slot(&mut self, value: Value) -> usize {
        self.slots.push(Slot {
            value,
            unread: None,
        });
        self.slots.len() - 1
    }

    pub(crate) fn add_scope(&mut self, outer: Option<usize>) -> usize {
        self.scopes.push(Scope {
            variables: BTreeMap::new(),
            outer,
        });
        self.scopes.len() - 1
    }

    pub(crate) fn find(&self, mut scope: Option<usize>, name: &str) -> Option<usize> {
        while let Some(at) = scope {
            let here = &self.scopes[at];
            if let Some(&slot) = here.variables.get(name) {
                return Some(slot);
            }
            scope = here.outer;
        }
        None
    }

    /// Comparison key of a value; `None` for a value that cannot be compared.
    pub fn key(&self, value: &Value) -> Option<Key> {
        self.key_within(value, &mut 0)
    }

    fn key_within(&self, value: &Value, parts: &mut u32) -> Option<Key> {
        *parts += 1;
        if *parts > MAX_KEY_PARTS {
            return None;
        }
        Some(match value {
            Value::Nil => Key::Nil,
            Value::Bool(value) => Key::Bool(*value),
            Value::Integer(value) => Key::Integer(*value),
            Value::Text(text) => Key::Text(Rc::clone(text)),
            Value::Struct(at) => {
                let mut fields = Vec::new();
                for (name, value) in &self.structs[*at].fields {
                    let key = self.key_within(value, parts)?;
                    if !key.is_zero() {
                        fields.push((name.clone(), key));
                    }
                }
                Key::Fields(Rc::new(fields))
            }
            _ => return None,
        })
    }
}

impl Key {
    fn is_zero(&self) -> bool {
        match self {
            Self::Nil => true,
            Self::Bool(value) => !value,
            Self::Integer(value) => *value == 0,
            Self::Text(text) => text.is_empty(),
            Self::Fields(fields) => fields.is_empty(),
        }
    }
}

impl Value {
    /// Creates a string value.
    pub fn text(text: impl Into<Rc<str>>) -> Self {
        Self::Text(text.into())
    }

    pub(crate) fn read(self) -> Result<Self> {
        match self {
            Self::Unread(error) => Err(error),
            value => Ok(value),
        }
    }

    /// Returns the kind of value for messages, such as `nil`.
    pub fn described(&self) -> &'static str {
        match self {
            Self::Nil => "nil",
            Self::Bool(_) => "true or false",
            Self::Integer(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Map(_) => "a map or a set",
            Self::Struct(_) => "a struct",
            Self::Pointer(_) => "a pointer",
            Self::Function(_) | Self::Method(_) | Self::Builtin(_) => "a function",
            Self::Type(_) => "a type",
            Self::Package(_) | Self::Library(_) => "a package",
            Self::Foreign(..) => "a value of another module",
            Self::Several(_) => "several values",
            Self::Other | Self::Unread(_) => "something else",
        }
    }
}
