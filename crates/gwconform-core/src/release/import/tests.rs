use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use super::{Reader, SUITE, TESTS, is_name};
use crate::release::facts::Named;
use crate::release::{Feature, Test};
use gwconform_go::file::{File, What};
use gwconform_go::parse;
use gwconform_go::program::Package;
use gwconform_go::token::Kind;
use gwconform_go::value::Value;
use gwconform_go::{EntryKind, Result, Unread};

const ALL: &str = "ConformanceTests";
/// Name of the suite's type or, before v1.1.0, a suffix of that name.
const RUNNER: &str = "ConformanceTestSuite";
const PARALLEL: &str = "Parallel";
const MAX_CONDITION: usize = 50;
const MAX_DEPTH: usize = 8;

impl Reader<'_> {
    pub(super) fn tests(
        &self,
        suite: &Rc<Package>,
        features: &Named<Feature>,
    ) -> Result<Named<Test>> {
        let package = self.package(TESTS)?;
        self.program.initialize(&package)?;
        let Some(all) = self.program.member(&package, ALL, &package)? else {
            let reason = format!("`{ALL}` is not declared");
            return Err(Rc::new(Unread::of_file(TESTS, reason)));
        };
        let mut tests = Named::new();
        let mut first_parallel = None;
        for (value, _) in self.entries(&all, ALL) {
            let Some(test) = self.test(&value) else {
                continue;
            };
            if test.parallel && first_parallel.is_none() {
                first_parallel = Some(value.clone());
            }
            if tests.contains_key(&test.name) {
                let reason = format!("two tests have the short name `{}`", test.name);
                self.problem(self.error_at(&value, reason));
            }
            let mut needed = test.features.iter();
            let undeclared = needed.find(|feature| !features.contains_key(*feature));
            if let Some(feature) = undeclared.filter(|_| !self.has_problems()) {
                let reason = format!(
                    "feature `{feature}` of test {} is not declared as a feature",
                    test.name
                );
                self.problem(self.error_at(&value, reason));
            }
            tests.insert(test.name.clone(), Arc::new(test));
        }
        self.check_registered(&tests)?;
        if let Some(value) = first_parallel {
            let is_before = self.section("the report", || {
                Ok(self.runs_in_parallel(suite)? && self.is_reported_before(suite, &value)?)
            });
            if is_before == Some(false) {
                for test in tests.values_mut() {
                    Arc::make_mut(test).parallel = false;
                }
            }
        }
        Ok(tests)
    }

    fn test(&self, value: &Value) -> Option<Test> {
        let wrong = |reason: &str| self.problem(self.error_at(value, reason.to_owned()));
        let name = match self.field(value, "ShortName") {
            Some(Value::Text(name)) if is_name(&name) => name.to_string(),
            Some(Value::Unread(error)) => {
                self.problem(error);
                return None;
            }
            _ => {
                wrong("expected a test with a short name of at most 128 letters and digits");
                return None;
            }
        };
        let features = match self.field(value, "Features") {
            Some(Value::Unread(error)) => {
                self.problem(error);
                Vec::new()
            }
            Some(features) => self.names(&features, &format!("Features of test {name}")),
            None => Vec::new(),
        };
        let flag = |field: &str| match self.field(value, field) {
            Some(Value::Bool(value)) => Some(value),
            None => Some(false),
            Some(Value::Unread(error)) => {
                self.problem(error);
                None
            }
            Some(_) => {
                wrong(&format!("{field} of test {name}: expected true or false"));
                None
            }
        };
        Some(Test {
            provisional: flag("Provisional")?,
            parallel: flag("Parallel")?,
            name,
            features,
            renamed_from: None,
        })
    }

    fn check_registered(&self, tests: &Named<Test>) -> Result<()> {
        let mut waiting = vec![(TESTS.to_owned(), 0)];
        while let Some((folder, depth)) = waiting.pop() {
            let entries = self.program.entries(&folder)?.unwrap_or_default();
            let mut has_sources = false;
            for (name, kind) in &entries {
                let path = format!("{folder}/{name}");
                match kind {
                    EntryKind::Folder if depth < MAX_DEPTH => waiting.push((path, depth + 1)),
                    EntryKind::Folder => {
                        let reason = "folders nested too deeply";
                        return Err(Rc::new(Unread::of_file(&path, reason)));
                    }
                    EntryKind::Link => {
                        let reason = "it is a symbolic link; expected a regular file or a folder";
                        self.problem(Rc::new(Unread::of_file(&path, reason)));
                    }
                    _ => has_sources |= name.ends_with(".go") && !name.ends_with("_test.go"),
                }
            }
            if !has_sources {
                continue;
            }
            let package = self.program.package(&folder)?;
            self.warn_of_left_out(&package);
            for file in &package.files {
                self.check_registered_in(file, tests);
            }
        }
        Ok(())
    }

    fn check_registered_in(&self, file: &File, tests: &Named<Test>) {
        for at in 0..file.tokens.len() {
            if file.word(at) != "ShortName" || file.word(at + 1) != ":" {
                continue;
            }
            let is_text = file
                .tokens
                .get(at + 2)
                .is_some_and(|token| token.kind == Kind::Text);
            let name = parse::text_of(file.word(at + 2)).filter(|_| is_text);
            if let Some(name) = name.filter(|name| !tests.contains_key(name)) {
                let reason = format!("test `{name}` is not registered in {ALL}");
                self.problem(file.error(at..at + 3, reason));
            }
        }
    }

    /// If the suite does not call `t.Parallel`, the field `Parallel` has no effect.
    fn runs_in_parallel(&self, suite: &Rc<Package>) -> Result<bool> {
        let mut is_called = false;
        for file in &suite.files {
            for at in 2..file.tokens.len() {
                self.program.step_over(1)?;
                let is_call = file.word(at) == PARALLEL
                    && file.word(at - 1) == "."
                    && file.word(at + 1) == "(";
                if !is_call {
                    continue;
                }
                if !is_for_field(file, at - 2) {
                    let reason = "tests run in parallel on another condition; expected `if test.Parallel { t.Parallel() }`";
                    return Err(file.error(at - 2..at + 2, reason));
                }
                is_called = true;
            }
        }
        Ok(is_called)
    }

    /// The suite may read a result too early, because `t.Run` returns as soon as the test calls
    /// `t.Parallel`.
    fn is_reported_before(&self, suite: &Rc<Package>, test: &Value) -> Result<bool> {
        let mut waiting = Vec::new();
        for (file, declaration) in suite.declarations() {
            if let What::Method { of, function } = &declaration.what
                && declaration.name == "Run"
                && of.ends_with(RUNNER)
            {
                waiting.extend(function.body.clone().map(|body| (Rc::clone(file), body)));
            }
        }
        let mut seen = BTreeSet::new();
        let mut takes_result = false;
        while let Some((file, body)) = waiting.pop() {
            for at in body {
                self.program.step(1)?;
                let calls = file.tokens[at].kind == Kind::Word && file.word(at + 1) == "(";
                if !calls {
                    continue;
                }
                let is_method = file.word(at - 1) == ".";
                match file.word(at) {
                    // `t.Cleanup(func() { results[…] = … })`
                    "Cleanup" if is_method => {
                        let mut inside = at + 2..file.behind(at + 1);
                        if inside.any(|at| names_result(&file, at)) {
                            return Ok(false);
                        }
                    }
                    // `succeeded := t.Run(…)` or `if !t.Run(…)`
                    "Run" if is_method && at >= 3 => {
                        takes_result |= matches!(file.word(at - 3), ":=" | "=" | "!" | "if");
                    }
                    name => {
                        if !seen.insert(name.to_owned()) {
                            continue;
                        }
                        for (file, declaration) in suite.named(name) {
                            if let What::Function(function) | What::Method { function, .. } =
                                &declaration.what
                            {
                                let body = function.body.clone();
                                waiting.extend(body.map(|body| (Rc::clone(file), body)));
                            }
                        }
                    }
                }
            }
        }
        if takes_result {
            return Ok(true);
        }
        let reason = format!(
            "a parallel test, but `Run` of {SUITE} does not show whether reports wait for it: neither in `Cleanup` nor from `t.Run`"
        );
        Err(self.error_at(test, reason))
    }
}

fn is_for_field(file: &File, statement: usize) -> bool {
    if statement == 0 || file.word(statement - 1) != "{" {
        return false;
    }
    let before = (0..statement - 1).rev().take(MAX_CONDITION);
    let condition: Vec<&str> = before
        .map(|at| file.word(at))
        .take_while(|word| !matches!(*word, "if" | "{" | "}" | ";"))
        .collect();
    condition.windows(2).any(|words| words == [PARALLEL, "."])
}

fn names_result(file: &File, at: usize) -> bool {
    let is_word = file.tokens[at].kind == Kind::Word;
    let word = file.word(at).to_ascii_lowercase();
    is_word && (word.contains("result") || word.contains("report"))
}
