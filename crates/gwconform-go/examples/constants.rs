//! Prints the constants and variables of a package: `constants FOLDER MODULE PACKAGE`.

use std::path::PathBuf;
use std::process::ExitCode;

use gwconform_go::program::Program;
use gwconform_go::value::{Key, Value};
use gwconform_go::{EntryKind, Sources};

struct Folder(PathBuf);

impl Sources for Folder {
    fn entries(&self, folder: &str) -> Result<Option<Vec<(String, EntryKind)>>, String> {
        let Ok(entries) = std::fs::read_dir(self.0.join(folder)) else {
            return Ok(None);
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| error.to_string())?;
            let kind = entry.file_type().map_err(|error| error.to_string())?;
            let kind = match (kind.is_file(), kind.is_dir()) {
                (true, _) => EntryKind::File,
                (_, true) => EntryKind::Folder,
                _ => EntryKind::Special,
            };
            names.push((entry.file_name().to_string_lossy().into_owned(), kind));
        }
        names.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        Ok(Some(names))
    }

    #[allow(clippy::disallowed_methods)]
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        std::fs::read(self.0.join(path)).map_err(|error| error.to_string())
    }
}

#[allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods)]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, module, package] = arguments.as_slice() else {
        eprintln!("expected: constants FOLDER MODULE PACKAGE");
        return ExitCode::from(2);
    };
    let sources = Folder(folder.into());
    let program = Program::new(&sources, module, false);
    let package = match program.package(package) {
        Ok(package) => package,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    for name in package.value_names() {
        match program.member(&package, name, &package) {
            Ok(Some(value)) => println!("{name} = {}", shown(&program, &value)),
            Ok(None) => {}
            Err(error) => println!("{name}: {error}"),
        }
    }
    ExitCode::SUCCESS
}

fn shown(program: &Program<'_>, value: &Value) -> String {
    let heap = program.heap.borrow();
    match value {
        Value::Nil => "nil".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Text(text) => format!("{text:?}"),
        Value::List(list) => format!("a list of {}", heap.lists[*list].len()),
        Value::Map(map) => {
            let keys = heap.maps[*map].entries.keys().map(|key| match key {
                Key::Text(text) => text.to_string(),
                Key::Fields(fields) => {
                    let fields = fields.iter().map(|(name, key)| format!("{name}: {key:?}"));
                    format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
                }
                key => format!("{key:?}"),
            });
            format!("{{{}}}", keys.collect::<Vec<_>>().join(", "))
        }
        value => value.described().to_owned(),
    }
}
