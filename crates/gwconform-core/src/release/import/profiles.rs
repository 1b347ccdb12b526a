use std::rc::Rc;
use std::sync::Arc;

use super::{Reader, is_name};
use crate::api::Family;
use crate::release::facts::Named;
use crate::release::{ExtendedWhen, Profile};
use gwconform_go::evaluate::Context;
use gwconform_go::file::What;
use gwconform_go::parse;
use gwconform_go::program::Package;
use gwconform_go::value::{Map, Struct, Type, Value};
use gwconform_go::{Result, Unread};

const PROFILES: &str = "conformanceProfileMap";
const IS_EXTENDED: &str = "isTestExtended";
const MESH: &str = "Mesh";

impl Reader<'_> {
    pub(super) fn profiles(&self, suite: &Rc<Package>) -> Result<Named<Profile>> {
        self.program.initialize(suite)?;
        let Some(value) = self.program.member(suite, PROFILES, suite)? else {
            let reason = format!("`{PROFILES}` is not declared");
            return Err(Rc::new(Unread::of_file(&suite.folder, reason)));
        };
        let mut profiles = Named::new();
        for (key, value) in self.entries(&value, PROFILES) {
            let Some(name) = name_of_profile(Some(key)) else {
                let reason = "expected a profile with a name of letters, digits and hyphens";
                self.problem(self.error_at(&value, reason.to_owned()));
                continue;
            };
            match self.profile(&name, &value) {
                Ok(profile) => {
                    profiles.insert(name, Arc::new(profile));
                }
                Err(error) => self.problem(error),
            }
        }
        Ok(profiles)
    }

    fn profile(&self, name: &str, value: &Value) -> Result<Profile> {
        let report_name = match self.field(value, "Name") {
            Some(Value::Unread(error)) => return Err(error),
            field => name_of_profile(field)
                .ok_or_else(|| self.error_at(value, format!("profile {name} has no name")))?,
        };
        let list = |field: &str| -> Result<Vec<String>> {
            match self.field(value, field) {
                Some(Value::Unread(error)) => Err(error),
                Some(set) => {
                    let mut names = self.names(&set, &format!("{field} of profile {name}"));
                    names.sort_unstable();
                    names.dedup();
                    Ok(names)
                }
                None => Ok(Vec::new()),
            }
        };
        let core = list("CoreFeatures")?;
        let is_mesh = core.iter().any(|feature| feature == MESH);
        Ok(Profile {
            name: name.to_owned(),
            family: if is_mesh {
                Family::Mesh
            } else {
                Family::Gateway
            },
            report_name,
            extended: list("ExtendedFeatures")?,
            core,
            renamed_from: None,
        })
    }

    /// Calls the suite's function with tests that distinguish the rules.
    pub(super) fn extended_when(&self, suite: &Rc<Package>) -> Result<ExtendedWhen> {
        let Some((file, declaration)) = suite.find(IS_EXTENDED) else {
            let reason = format!("`{IS_EXTENDED}` is not declared");
            return Err(Rc::new(Unread::of_file(&suite.folder, reason)));
        };
        let start = declaration.start;
        let neither = || {
            let reason = "follows neither known rule: a test is extended if any feature is not core, or if any feature is extended";
            file.error(start..start + 2, reason)
        };
        let What::Function(function) = &declaration.what else {
            return Err(neither());
        };
        // Each case lists the features of a test and the expected results for `AnyNotCore` and
        // `AnyExtended`. The profile lists `both` as core and extended.
        let cases = [
            (&["core"][..], [false, false]),
            (&["extended"], [true, true]),
            (&["core", "extended"], [true, true]),
            (&["both"], [false, true]),
            (&["neither"], [true, false]),
            (&[], [false, false]),
        ];
        let mut answers = [true, true];
        for (features, expected) in cases {
            let mut arguments = Vec::new();
            for (_, kind, _) in parse::parameters(file, &function.parameters)? {
                let words = file.source(&kind);
                let value = match words {
                    _ if words.contains("ConformanceProfile") => self.profile_to_ask(suite),
                    _ if words.contains("ConformanceTest") => self.test_to_ask(suite, features),
                    _ => return Err(neither()),
                };
                let slot = || self.program.heap.borrow_mut().add_slot(value.clone());
                arguments.push(match words.starts_with('*') {
                    true => Value::Pointer(slot()),
                    false => value,
                });
            }
            let context = Context::of(suite, file);
            let answer = self.program.ask(&context, IS_EXTENDED, arguments)?;
            let Value::Bool(answer) = answer else {
                return Err(neither());
            };
            for (holds, expected) in answers.iter_mut().zip(expected) {
                *holds &= answer == expected;
            }
        }
        match answers {
            [true, _] => Ok(ExtendedWhen::AnyNotCore),
            [_, true] => Ok(ExtendedWhen::AnyExtended),
            _ => Err(neither()),
        }
    }

    fn profile_to_ask(&self, suite: &Rc<Package>) -> Value {
        let core = self.set(&["core", "both"]);
        let extended = self.set(&["extended", "both"]);
        let fields = [
            ("Name", Value::text("PROFILE")),
            ("CoreFeatures", core),
            ("ExtendedFeatures", extended),
        ];
        self.structure(suite, "ConformanceProfile", fields)
    }

    fn test_to_ask(&self, suite: &Rc<Package>, features: &[&str]) -> Value {
        let features = features.iter().map(|name| Value::text(*name)).collect();
        let features = self.program.heap.borrow_mut().add_list(features);
        let fields = [("ShortName", Value::text("Test")), ("Features", features)];
        self.structure(suite, "ConformanceTest", fields)
    }

    fn set(&self, names: &[&str]) -> Value {
        let mut heap = self.program.heap.borrow_mut();
        let mut set = Map::default();
        for name in names {
            let value = Value::text(*name);
            if let Some(key) = heap.key(&value) {
                set.entries.insert(key, (value, Value::Nil));
            }
        }
        heap.add_map(set)
    }

    fn structure<const N: usize>(
        &self,
        suite: &Rc<Package>,
        kind: &str,
        fields: [(&str, Value); N],
    ) -> Value {
        let fields = fields
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value));
        self.program.heap.borrow_mut().add_struct(Struct {
            kind: Rc::new(Type::Named(Rc::clone(suite), kind.to_owned())),
            fields: fields.collect(),
            file: Rc::clone(&suite.files[0]),
            line: 0,
        })
    }
}

fn name_of_profile(value: Option<Value>) -> Option<String> {
    match value {
        Some(Value::Text(name)) if is_name(&name.replace('-', "")) => Some(name.to_string()),
        _ => None,
    }
}
