//! Values, and the storage of mutable values.
//!
//! Lists, maps, structs and variables are indices into one [`Heap`], so that cyclic values can be
//! dropped without recursion.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::file::{File, Span};
use super::program::Package;
use super::{Result, Unread};

/// Limit for the parts of a comparison key, because structs can refer to the same struct
/// repeatedly. A feature has three parts.
const MAX_KEY_PARTS: u32 = 16;

/// A Go value.
#[derive(Clone, Debug)]
pub enum Value {
    /// `nil`
    Nil,
    /// `true` or `false`
    Bool(bool),
    /// An integer or a rune.
    Integer(i128),
    /// A string.
    Text(Rc<str>),
    /// Index in the heap.
    List(usize),
    /// A map or a set; several variables can share it.
    Map(usize),
    /// Immutable: an assignment replaces it.
    Struct(usize),
    /// Pointer to a variable.
    Pointer(usize),
    /// A function or a closure.
    Function(Rc<Closure>),
    /// A method with its receiver.
    Method(Rc<(Value, String)>),
    /// A type.
    Type(Rc<Type>),
    /// A package in the same module.
    Package(Rc<Package>),
    /// Another package, by its import path.
    Library(Rc<str>),
    /// A member of another package.
    Foreign(Rc<str>, Rc<str>),
    /// A predeclared function, such as `append`.
    Builtin(&'static str),
    /// Results of one call.
    Several(Rc<Vec<Value>>),
    /// A value of an unsupported kind.
    Other,
    /// An error, returned when the value is needed.
    Unread(Rc<Unread>),
}

/// A type.
#[derive(Clone, Debug)]
pub enum Type {
    /// `string`
    Text,
    /// `bool`
    Bool,
    /// Any integer type.
    Integer,
    /// A slice or an array.
    List(Rc<Type>),
    /// A map with its key and value types.
    Map(Rc<Type>, Rc<Type>),
    /// `sets.Set` with any element type.
    Set,
    /// A pointer.
    Pointer(Rc<Type>),
    /// A named type in a package of the module.
    Named(Rc<Package>, String),
    /// Field names and types in order, and the declaring package and file.
    Struct(Rc<Vec<(String, Option<Span>)>>, Rc<Package>, Rc<File>),
    /// A type in another package.
    Foreign(String),
    /// A function, an interface or a channel.
    Other,
}

/// A function with its source location and captured variables.
#[derive(Debug)]
pub struct Closure {
    pub(crate) package: Rc<Package>,
    pub(crate) file: Rc<File>,
    pub(crate) receiver: Option<Span>,
    pub(crate) parameters: Span,
    pub(crate) body: Span,
    pub(crate) scope: Option<usize>,
}

/// Comparison key of a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// `nil`
    Nil,
    /// A boolean.
    Bool(bool),
    /// A whole number.
    Integer(i128),
    /// A string.
    Text(Rc<str>),
    /// Fields that are not zero.
    Fields(Rc<Vec<(String, Key)>>),
}

/// A map; a set has no values.
#[derive(Clone, Debug, Default)]
pub struct Map {
    /// Original keys and values, by comparison key.
    pub entries: BTreeMap<Key, (Value, Value)>,
    /// Keys that could not be evaluated.
    pub unread: Vec<Rc<Unread>>,
}

/// A struct.
#[derive(Clone, Debug)]
pub struct Struct {
    /// Type.
    pub kind: Rc<Type>,
    /// Explicit fields; all others are zero.
    pub fields: BTreeMap<String, Value>,
    /// File of the literal.
    pub file: Rc<File>,
    /// 1-based line of the literal.
    pub line: u32,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Current value.
    pub value: Value,
    /// Set if an unsupported statement may have changed the variable.
    pub(crate) unread: Option<Rc<Unread>>,
}

#[derive(Debug, Default)]
pub(crate) struct Scope {
    pub(crate) variables: BTreeMap<String, usize>,
    pub(crate) outer: Option<usize>,
}

/// Storage of mutable values.
#[derive(Debug, Default)]
pub struct Heap {
    /// See [`Value::List`].
    pub lists: Vec<Vec<Value>>,
    /// See [`Value::Map`].
    pub maps: Vec<Map>,
    /// See [`Value::Struct`].
    pub structs: Vec<Struct>,
    /// See [`Value::Pointer`].
    pub slots: Vec<Slot>,
    pub(crate) scopes: Vec<Scope>,
}

impl Heap {
    /// Adds a list.
    pub fn add_list(&mut self, list: Vec<Value>) -> Value {
        self.lists.push(list);
        Value::List(self.lists.len() - 1)
    }

    /// Adds a map.
    pub fn add_map(&mut self, map: Map) -> Value {
        self.maps.push(map);
        Value::Map(self.maps.len() - 1)
    }

    /// Adds a struct.
    pub fn add_struct(&mut self, one: Struct) -> Value {
        self.structs.push(one);
        Value::Struct(self.structs.len() - 1)
    }

    /// Adds a variable and returns its index for [`Value::Pointer`].
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

    /// Comparison key; `None` for values that cannot be compared.
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
    /// A string.
    pub fn text(text: impl Into<Rc<str>>) -> Self {
        Self::Text(text.into())
    }

    pub(crate) fn read(self) -> Result<Self> {
        match self {
            Self::Unread(error) => Err(error),
            value => Ok(value),
        }
    }

    /// A description for messages.
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
