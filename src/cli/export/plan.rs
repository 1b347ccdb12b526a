use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;

use super::Arguments;
use crate::cli::Failure;
use crate::site::export::{
    Documents, Escaping, Instance, MAX_TEMPLATE, Pattern, Shipped, Template, TemplateError, render,
};
use crate::tree::files::{Folder, PathError};
use crate::workspace::Base;

pub struct Plan {
    pub tree: Option<PathBuf>,
    pub target: Target,
    source: Source,
}

pub enum Target {
    Stdout,
    Files(Vec<Part>),
}

pub enum Part {
    /// An output file, with the name of its template if that is not the main template of the
    /// export.
    One(PathBuf, Option<&'static str>),
    Each(Pattern),
}

enum Source {
    Shipped(Shipped),
    File(PathBuf),
}

impl Plan {
    pub fn try_new(arguments: &Arguments) -> Result<Self, Failure> {
        let (source, tree) = source(arguments)?;
        let target = target(arguments, &source)?;
        let takes_frame = matches!(source, Source::Shipped(Shipped::List));
        let framed = [
            ("--details", &arguments.details),
            ("--integrations", &arguments.integrations),
            ("--header", &arguments.header),
            ("--footer", &arguments.footer),
        ];
        for (option, value) in framed {
            let is_text = option == "--header" || option == "--footer";
            let is_for_templates = !is_text && matches!(source, Source::File(_));
            if value.is_some() && !takes_frame && !is_for_templates {
                return Err(usage(format!("{option} is for `gwconform export list`")));
            }
        }
        if arguments.check && matches!(target, Target::Stdout) {
            return Err(usage(
                "--check compares files; expected --out or --out-pattern".to_owned(),
            ));
        }
        Ok(Self {
            tree,
            target,
            source,
        })
    }

    pub fn is_list(&self) -> bool {
        matches!(self.source, Source::Shipped(Shipped::List))
    }

    pub fn template(&self, base: &Base) -> Result<Template, Failure> {
        match &self.source {
            Source::Shipped(shipped) => Template::shipped(shipped.as_str())
                .ok_or_else(|| usage(format!("`{shipped}` has no template"))),
            Source::File(path) => of_file(path, base),
        }
    }

    pub fn render(
        &self,
        template: &Template,
        documents: &Documents,
    ) -> Result<Vec<(PathBuf, String)>, Failure> {
        let none = Default::default();
        let Target::Files(parts) = &self.target else {
            let name = Path::new(&template.name);
            let text = rendered(template, documents, &none, name)?;
            return Ok(vec![(PathBuf::new(), text)]);
        };
        let mut outputs = Vec::new();
        for part in parts {
            match part {
                Part::One(path, other) => {
                    let other = other.and_then(Template::shipped);
                    let template = other.as_ref().unwrap_or(template);
                    let text = rendered(template, documents, &none, path)?;
                    outputs.push((path.clone(), text));
                }
                Part::Each(pattern) => {
                    for Instance { path, variables } in pattern.instances(documents) {
                        let path = PathBuf::from(path);
                        let text = rendered(template, documents, &variables, &path)?;
                        outputs.push((path, text));
                    }
                }
            }
        }
        Ok(outputs)
    }
}

fn rendered(
    template: &Template,
    documents: &Documents,
    variables: &std::collections::BTreeMap<&'static str, String>,
    path: &Path,
) -> Result<String, Failure> {
    let text = render(template, documents, variables, Escaping::new(path));
    text.map_err(|error: TemplateError| Failure::Usage(error.into()))
}

fn source(arguments: &Arguments) -> Result<(Source, Option<PathBuf>), Failure> {
    let (what, tree) = (&arguments.what, &arguments.tree);
    if let Some(template) = &arguments.template {
        return match tree {
            None => Ok((Source::File(template.clone()), what.clone())),
            Some(_) => Err(usage(
                "--template replaces the built-in templates; expected only a reports tree"
                    .to_owned(),
            )),
        };
    }
    let text = what.as_deref().and_then(Path::to_str);
    match text.and_then(Shipped::from_text) {
        Some(shipped) => Ok((Source::Shipped(shipped), tree.clone())),
        None => {
            let given = what
                .as_deref()
                .map(|what| format!("`{}`: ", what.display()));
            Err(usage(format!(
                "{}expected tables, tables-docsy, wizard or list, or --template FILE",
                given.unwrap_or_default()
            )))
        }
    }
}

fn target(arguments: &Arguments, source: &Source) -> Result<Target, Failure> {
    if let Some(text) = &arguments.out_pattern {
        let pattern = Pattern::parse(text);
        let pattern = pattern.map_err(|error| usage(format!("--out-pattern: {error}")))?;
        return Ok(Target::Files(vec![Part::Each(pattern)]));
    }
    match (source, &arguments.out) {
        (Source::Shipped(Shipped::Tables | Shipped::TablesDocsy), None) => Err(usage(
            "tables are several files; expected --out DIR".to_owned(),
        )),
        (Source::Shipped(tables @ (Shipped::Tables | Shipped::TablesDocsy)), Some(folder)) => {
            let pages = Pattern::in_folder(folder, "v{minor}.md").ok_or_else(|| {
                usage("--out: expected a folder whose path is UTF-8 without braces".to_owned())
            })?;
            let index = match tables {
                Shipped::TablesDocsy => "index-docsy",
                _ => "index",
            };
            let index = Part::One(folder.join("_index.md"), Some(index));
            Ok(Target::Files(vec![index, Part::Each(pages)]))
        }
        (_, Some(file)) => Ok(Target::Files(vec![Part::One(file.clone(), None)])),
        (_, None) => Ok(Target::Stdout),
    }
}

fn of_file(path: &Path, base: &Base) -> Result<Template, Failure> {
    let path = base.absolute(path);
    let shown = base.display(&path);
    let bytes = base.read(&path, MAX_TEMPLATE, "a template")?;
    let text = String::from_utf8(bytes).map_err(|_| usage(format!("{shown}: expected UTF-8")))?;
    let name = path.file_name().and_then(|name| name.to_str());
    let (Some(name), Some(folder)) = (name, path.parent()) else {
        return Err(usage(format!("{shown}: expected a name in UTF-8")));
    };
    let opened = Folder::open(folder).map_err(|error| {
        PathError::new(&base.display(folder), error, "the folder of the template")
    })?;
    Ok(Template {
        name: name.to_owned(),
        text,
        folder: Some(Arc::new(opened)),
        shown_folder: base.display(folder),
    })
}

fn usage(message: String) -> Failure {
    Failure::Usage(anyhow!(message))
}
