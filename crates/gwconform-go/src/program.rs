//! Reads the packages of a module on demand, and evaluates their declarations.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::constraint;
use super::evaluate::{Context, Spoils};
use super::file::{Declaration, File, Import, What};
use super::parse;
use super::value::{Heap, Value};
use super::{EntryKind, Result, Sources, Unread};

/// In bytes. The largest file in the suite has 60 KiB.
const MAX_FILE_BYTES: usize = 1024 * 1024;
/// For all files. The suite of v1.6 has 2 MiB in 200 files.
const MAX_BYTES: usize = 24 * 1024 * 1024;
const MAX_FILES: usize = 4_000;
const MAX_TOKENS: usize = 4_000_000;
const TOKENS_OF_STEP: usize = 8;
/// The suite of v1.6 needs about 20,000.
const MAX_STEPS: usize = 500_000;

/// The Go files in one folder.
#[derive(Debug)]
pub struct Package {
    /// Path relative to the top of the module.
    pub folder: String,
    /// Files that belong to the build, in name order.
    pub files: Vec<Rc<File>>,
    names: BTreeMap<String, (usize, usize)>,
    methods: BTreeMap<(String, String), (usize, usize)>,
    /// Files outside of the build, with reasons.
    pub left_out: Vec<(String, String)>,
    values: RefCell<BTreeMap<String, Entry>>,
    pub(crate) state: Cell<State>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    NotBegun,
    Running,
    Done,
}

#[derive(Clone, Debug)]
enum Entry {
    /// The evaluation has started. A second evaluation would be a cycle.
    Begun,
    Constant(Value),
    Variable(usize),
    Failed(Rc<Unread>),
}

/// A module, and the packages that were read from it.
pub struct Program<'s> {
    sources: &'s dyn Sources,
    module: String,
    packages: RefCell<BTreeMap<String, Result<Rc<Package>>>>,
    folders: RefCell<BTreeMap<String, bool>>,
    /// Lists, maps, structs and variables, which values refer to by index.
    pub heap: RefCell<Heap>,
    bytes: Cell<usize>,
    files: Cell<usize>,
    tokens: Cell<usize>,
    pub(crate) steps: Cell<usize>,
    pub(crate) depth: Cell<u32>,
    allows_unread: bool,
    unread: RefCell<BTreeSet<Unread>>,
}

impl<'s> Program<'s> {
    /// Creates a program for the module with the import path `module`. No file is read yet. If
    /// `allows_unread` is true, unsupported code is recorded in [`Program::left_out`] and omitted
    /// if possible.
    pub fn new(sources: &'s dyn Sources, module: &str, allows_unread: bool) -> Self {
        Self {
            sources,
            module: module.to_owned(),
            packages: RefCell::default(),
            folders: RefCell::default(),
            heap: RefCell::default(),
            bytes: Cell::new(0),
            files: Cell::new(0),
            tokens: Cell::new(0),
            steps: Cell::new(0),
            depth: Cell::new(0),
            allows_unread,
            unread: RefCell::default(),
        }
    }

    /// Returns the error if the program must not omit code.
    pub fn leave_out(&self, error: Rc<Unread>) -> Result<()> {
        if !self.allows_unread || error.is_final {
            return Err(error);
        }
        self.unread.borrow_mut().insert((*error).clone());
        Ok(())
    }

    /// Returns the code that was omitted.
    pub fn left_out(&self) -> Vec<Unread> {
        self.unread.borrow().iter().cloned().collect()
    }

    /// Counts evaluation steps, and fails at the limit.
    pub fn step(&self, count: usize) -> Result<()> {
        let steps = self.steps.get().saturating_add(count);
        self.steps.set(steps);
        if steps <= MAX_STEPS {
            return Ok(());
        }
        let mut error = Unread::of_file("", format!("evaluation stopped after {MAX_STEPS} steps"));
        error.is_final = true;
        Err(Rc::new(error))
    }

    /// Counts the steps for parsing a range of tokens or for traversing a list.
    pub fn step_over(&self, length: usize) -> Result<()> {
        self.step(length / TOKENS_OF_STEP)
    }

    /// Text of a file, within the size limits.
    pub fn text(&self, path: &str) -> Result<String> {
        let fail = |reason: String| Rc::new(Unread::of_file(path, format!("not read: {reason}")));
        let too_much = |reason: &str| {
            let mut error = Unread::of_file(path, reason);
            error.is_final = true;
            Rc::new(error)
        };
        self.files.set(self.files.get() + 1);
        if self.files.get() > MAX_FILES {
            return Err(too_much("too many files in the sources"));
        }
        let bytes = self.sources.read(path).map_err(fail)?;
        if bytes.len() > MAX_FILE_BYTES {
            return Err(fail(format!(
                "it is larger than {} MiB",
                MAX_FILE_BYTES / (1024 * 1024)
            )));
        }
        self.bytes.set(self.bytes.get() + bytes.len());
        if self.bytes.get() > MAX_BYTES {
            return Err(too_much("too many bytes in the sources"));
        }
        let text = String::from_utf8(bytes);
        let text = text.map_err(|_| fail("it is not UTF-8".to_owned()))?;
        Ok(match text.strip_prefix('\u{feff}') {
            Some(text) => text.to_owned(),
            None => text,
        })
    }

    fn file(&self, path: &str, text: String) -> Result<File> {
        let left = MAX_TOKENS.saturating_sub(self.tokens.get());
        let file = File::read(path, text, left)?;
        self.tokens.set(self.tokens.get() + file.tokens.len());
        Ok(file)
    }

    /// Entries of a folder; `None` if the folder does not exist.
    pub fn entries(&self, folder: &str) -> Result<Option<Vec<(String, EntryKind)>>> {
        let not_listed = |reason| Rc::new(Unread::of_file(folder, format!("not listed: {reason}")));
        self.sources.entries(folder).map_err(not_listed)
    }

    /// True if the folder exists in the sources.
    pub fn has_folder(&self, folder: &str) -> Result<bool> {
        Ok(self.entries(folder)?.is_some())
    }

    fn is_there(&self, folder: &str) -> bool {
        if let Some(&known) = self.folders.borrow().get(folder) {
            return known;
        }
        let is_there = self.has_folder(folder).unwrap_or(false);
        self.folders
            .borrow_mut()
            .insert(folder.to_owned(), is_there);
        is_there
    }

    /// Reads the package in a folder, or returns it if it was read before.
    pub fn package(&self, folder: &str) -> Result<Rc<Package>> {
        if let Some(known) = self.packages.borrow().get(folder) {
            return known.clone();
        }
        let read = self.read_package(folder).map(Rc::new);
        self.packages
            .borrow_mut()
            .insert(folder.to_owned(), read.clone());
        read
    }

    fn read_package(&self, folder: &str) -> Result<Package> {
        let of_folder = |reason: &str| Rc::new(Unread::of_file(folder, reason));
        let entries = self
            .entries(folder)?
            .ok_or_else(|| of_folder("no such folder"))?;
        let mut package = Package {
            folder: folder.to_owned(),
            files: Vec::new(),
            names: BTreeMap::new(),
            methods: BTreeMap::new(),
            left_out: Vec::new(),
            values: RefCell::default(),
            state: Cell::new(State::NotBegun),
        };
        for (name, kind) in entries {
            if !name.ends_with(".go") || name.ends_with("_test.go") || name.starts_with(['.', '_'])
            {
                continue;
            }
            let path = format!("{folder}/{name}");
            if kind != EntryKind::File {
                let reason = format!("it is {kind}; expected a regular file");
                return Err(Rc::new(Unread::of_file(&path, reason)));
            }
            if let Some(reason) = constraint::left_out_by_name(&name) {
                package.left_out.push((path, reason));
                continue;
            }
            let text = self.text(&path)?;
            match constraint::left_out_by_text(&text) {
                Some(reason) => package.left_out.push((path, reason)),
                None => package.add(self.file(&path, text)?)?,
            }
        }
        match package.files.is_empty() && package.left_out.is_empty() {
            true => Err(of_folder("no Go files in this folder")),
            false => Ok(package),
        }
    }

    pub(crate) fn folder_of<'p>(&self, path: &'p str) -> Option<&'p str> {
        let below = path.strip_prefix(self.module.as_str())?;
        below.strip_prefix('/')
    }

    pub(crate) fn import(&self, file: &File, name: &str) -> Result<Option<Value>> {
        let by_alias = |import: &&Import| import.alias.as_deref() == Some(name);
        let unnamed = || file.imports.iter().filter(|import| import.alias.is_none());
        let found = match file.imports.iter().find(by_alias) {
            Some(import) => Some(import),
            None => {
                self.step(file.imports.len())?;
                let last = unnamed().find(|import| last_name(&import.path) == name);
                match last {
                    Some(import) => Some(import),
                    None => unnamed().find(|import| {
                        let folder = self.folder_of(&import.path);
                        let package = folder.map(|folder| self.package(folder));
                        matches!(package, Some(Ok(package)) if package.name() == name)
                    }),
                }
            }
        };
        let missing = || {
            unnamed().find(|import| {
                let folder = self.folder_of(&import.path);
                folder.is_some_and(|folder| !self.is_there(folder))
            })
        };
        let Some(import) = found.or_else(missing) else {
            return Ok(None);
        };
        let Some(folder) = self.folder_of(&import.path) else {
            return Ok(Some(Value::Library(import.path.as_str().into())));
        };
        match self.package(folder) {
            Ok(package) => Ok(Some(Value::Package(package))),
            Err(error) if error.line == 0 && error.file == folder => {
                // The line that uses the package explains the problem best.
                let mut error = (*error).clone();
                error.reason = format!("{}: {}", error.file, error.reason);
                error.expression = format!("import \"{}\"", import.path);
                (error.file, error.line) = (file.path.clone(), import.line);
                Err(Rc::new(error))
            }
            Err(error) => Err(error),
        }
    }

    /// Value of a name in a package; `None` if the package does not declare the name. `from` is the
    /// package that uses the name.
    pub fn member(
        &self,
        package: &Rc<Package>,
        name: &str,
        from: &Package,
    ) -> Result<Option<Value>> {
        let Some((file, declaration)) = package.find(name) else {
            return Ok(None);
        };
        Ok(Some(match &declaration.what {
            What::Type { .. } => Value::Type(Rc::new(super::value::Type::Named(
                Rc::clone(package),
                name.to_owned(),
            ))),
            What::Function(function) => {
                let start = declaration.start;
                let Some(body) = function.body.clone() else {
                    return Err(file.error(start..start + 2, "a function without a body"));
                };
                Value::Function(Rc::new(super::value::Closure {
                    package: Rc::clone(package),
                    file: Rc::clone(file),
                    receiver: None,
                    parameters: function.parameters.clone(),
                    body,
                    scope: None,
                }))
            }
            What::Constant { .. } => self.constant(package, name)?,
            What::Variable { .. } => {
                let slot = self.variable(package, name, from)?;
                self.value_of(slot)?
            }
            What::Method { .. } => return Ok(None),
        }))
    }

    pub(crate) fn value_of(&self, slot: usize) -> Result<Value> {
        let slot = self.heap.borrow().slots[slot].clone();
        if let Some(error) = slot.unread {
            self.leave_out(error)?;
        }
        slot.value.read()
    }

    fn constant(&self, package: &Rc<Package>, name: &str) -> Result<Value> {
        match self.entry(package, name)? {
            Entry::Constant(value) => value.read(),
            _ => Ok(Value::Other),
        }
    }

    pub(crate) fn variable(
        &self,
        package: &Rc<Package>,
        name: &str,
        from: &Package,
    ) -> Result<usize> {
        if !std::ptr::eq(&**package, from) {
            self.initialize(package)?;
        }
        match self.entry(package, name)? {
            Entry::Variable(slot) => Ok(slot),
            _ => {
                let reason = format!("`{name}` is not a variable");
                Err(Rc::new(Unread::of_file(&package.folder, reason)))
            }
        }
    }

    fn entry(&self, package: &Rc<Package>, name: &str) -> Result<Entry> {
        let known = package.values.borrow().get(name).cloned();
        let Some((file, declaration)) = package.find(name) else {
            let reason = format!("`{name}` is not declared");
            return Err(Rc::new(Unread::of_file(&package.folder, reason)));
        };
        match known {
            Some(Entry::Failed(error)) => return Err(error),
            Some(Entry::Begun) => {
                let start = declaration.start;
                return Err(file.error(start..start + 1, "its value depends on itself"));
            }
            Some(known) => return Ok(known),
            None => {}
        }
        let keep = |entry: Entry| package.values.borrow_mut().insert(name.to_owned(), entry);
        keep(Entry::Begun);
        let entry = match self.first_value(package, file, declaration) {
            Ok(entry) => entry,
            Err(error) => {
                keep(Entry::Failed(Rc::clone(&error)));
                return Err(error);
            }
        };
        keep(entry.clone());
        Ok(entry)
    }

    fn first_value(
        &self,
        package: &Rc<Package>,
        file: &Rc<File>,
        declaration: &Declaration,
    ) -> Result<Entry> {
        let context = Context::of(package, file);
        match &declaration.what {
            What::Constant { value, number } => {
                self.step_over(value.len())?;
                let node = parse::expression(file, value)?;
                let context = context.with_iota(*number);
                Ok(Entry::Constant(self.evaluate(&context, &node)?))
            }
            What::Variable { kind, value, of } => {
                self.step_over(kind.as_ref().map_or(0, ExactSizeIterator::len))?;
                let kind = kind
                    .as_ref()
                    .map(|kind| parse::kind(file, kind))
                    .transpose()?;
                let value = match (value, kind) {
                    (Some(value), _) => {
                        self.step_over(value.len())?;
                        let node = parse::expression(file, value)?;
                        let value = self.evaluate(&context, &node)?;
                        match of {
                            Some(nth) => self.nth(&context, &node, &value, *nth)?,
                            None => value,
                        }
                    }
                    (None, Some(kind)) => self.zero(&context, &kind)?,
                    (None, None) => Value::Nil,
                };
                Ok(Entry::Variable(self.heap.borrow_mut().add_slot(value)))
            }
            _ => Ok(Entry::Constant(Value::Other)),
        }
    }

    /// Evaluates all variables, and then the `init` functions in file order. Unsupported code
    /// causes an error only when a variable named in the code is used.
    pub fn initialize(&self, package: &Rc<Package>) -> Result<()> {
        match package.state.get() {
            State::Done => return Ok(()),
            State::Running => {
                let reason = "packages that import each other";
                return Err(Rc::new(Unread::of_file(&package.folder, reason)));
            }
            State::NotBegun => package.state.set(State::Running),
        }
        for file in &package.files {
            for declaration in &file.declarations {
                let What::Variable { value, .. } = &declaration.what else {
                    continue;
                };
                let found = match declaration.name.as_str() {
                    "_" => self.first_value(package, file, declaration),
                    name => self.entry(package, name),
                };
                // Return the error when the variable is used. Functions called in the expression
                // could have changed other variables.
                if let (Err(error), Some(span)) = (found, value) {
                    self.spoil(package, file, span, Spoils::Called, error)?;
                }
            }
        }
        for file in &package.files {
            for declaration in &file.declarations {
                if let (What::Function(function), "init") =
                    (&declaration.what, declaration.name.as_str())
                {
                    self.run_init(package, file, function)?;
                }
            }
        }
        package.state.set(State::Done);
        Ok(())
    }
}

pub(crate) fn stop_when_final(error: Rc<Unread>) -> Result<()> {
    if error.is_final { Err(error) } else { Ok(()) }
}

/// For example, `sets` for `k8s.io/…/sets` or `slices` for `x/slices/v2`.
pub(crate) fn last_name(path: &str) -> &str {
    let mut names = path.rsplit('/');
    let last = names.next().unwrap_or_default();
    let is_version = last.len() > 1
        && last.starts_with('v')
        && last[1..].bytes().all(|byte| byte.is_ascii_digit());
    if is_version {
        names.next().unwrap_or(last)
    } else {
        last
    }
}

impl Package {
    fn add(&mut self, file: File) -> Result<()> {
        let at = self.files.len();
        for (nth, declaration) in file.declarations.iter().enumerate() {
            let name = declaration.name.clone();
            let former = match &declaration.what {
                What::Method { of, .. } => self.methods.insert((name, of.clone()), (at, nth)),
                What::Function(_) if name == "init" => None,
                _ if name == "_" => None,
                _ => self.names.insert(name, (at, nth)),
            };
            if former.is_some() {
                let start = declaration.start;
                return Err(file.error(start..start + 1, "declared twice"));
            }
        }
        self.files.push(Rc::new(file));
        Ok(())
    }

    pub(crate) fn name(&self) -> &str {
        self.files.first().map_or("", |file| file.package.as_str())
    }

    /// Returns the declaration of a name, and its file.
    pub fn find(&self, name: &str) -> Option<(&Rc<File>, &Declaration)> {
        let &(file, declaration) = self.names.get(name)?;
        let file = &self.files[file];
        Some((file, &file.declarations[declaration]))
    }

    pub(crate) fn method(
        &self,
        kind: &str,
        name: &str,
    ) -> Option<(&Rc<File>, &Rc<super::file::Function>)> {
        let &(file, declaration) = self.methods.get(&(name.to_owned(), kind.to_owned()))?;
        let file = &self.files[file];
        match &file.declarations[declaration].what {
            What::Method { function, .. } => Some((file, function)),
            _ => None,
        }
    }

    /// Declaration of a name, and all methods with that name.
    pub fn named(&self, name: &str) -> Vec<(&Rc<File>, &Declaration)> {
        let methods = self.methods.range((name.to_owned(), String::new())..);
        let methods = methods.take_while(|((method, _), _)| method == name);
        let places = self
            .names
            .get(name)
            .into_iter()
            .chain(methods.map(|(_, place)| place));
        let found = places.map(|&(file, declaration)| {
            let file = &self.files[file];
            (file, &file.declarations[declaration])
        });
        found.collect()
    }

    /// Returns the names of all constants and variables, sorted.
    pub fn value_names(&self) -> impl Iterator<Item = &str> {
        let named = self.names.iter().filter(|(_, (file, declaration))| {
            let what = &self.files[*file].declarations[*declaration].what;
            matches!(what, What::Constant { .. } | What::Variable { .. })
        });
        named.map(|(name, _)| name.as_str())
    }

    /// Returns all declarations with their files, in file order.
    pub fn declarations(&self) -> impl Iterator<Item = (&Rc<File>, &Declaration)> {
        let files = self.files.iter();
        files.flat_map(|file| {
            file.declarations
                .iter()
                .map(move |declaration| (file, declaration))
        })
    }
}
