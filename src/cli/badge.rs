//! `gwconform badge`

use std::path::PathBuf;

use anyhow::anyhow;
use clap::ValueEnum;

use super::catalog::{CatalogArguments, minor};
use super::findings::Bar;
use super::{Exit, Failure, Streams};
use crate::badge::{self, About, Issued, Markup};
use crate::catalog::{Catalog, Implementation};
use crate::registry;
use crate::suggest;
use crate::workspace::PathBase;

/// Make the badge of an implementation, or what shows it in a page.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Its name in addresses, such as acme-operator, a former one, or organization/project exactly
    /// as in its reports
    #[arg(value_name = "IMPLEMENTATION")]
    implementation: String,
    /// The reports tree; without it conformance/reports, else reports
    #[arg(long, value_name = "PATH")]
    path: Option<PathBuf>,
    /// As a gateway or as a mesh; without it as a gateway, where it has a report as one
    #[arg(long, value_enum, conflicts_with_all = ["profile", "minor"])]
    family: Option<Family>,
    /// In one profile, such as GATEWAY-HTTP
    #[arg(long, value_name = "PROFILE", conflicts_with = "minor")]
    profile: Option<String>,
    /// Within one minor, such as v1.5
    #[arg(long, value_name = "MINOR")]
    minor: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Svg)]
    format: Format,
    #[command(flatten)]
    catalog: CatalogArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Family {
    Gateway,
    Mesh,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The picture
    Svg,
    /// What shields.io draws it from (JSON)
    Shields,
    /// Markdown that shows it and links to the implementation's page
    Markdown,
    /// The same in reStructuredText
    Rst,
    /// The same in AsciiDoc
    Asciidoc,
    /// The same in HTML
    Html,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let workspace = arguments.catalog.open(arguments.path.as_deref(), streams)?;
    let bar = Bar::new(streams.is_terminal);
    let tree = workspace.certify(PathBase::WorkingDir, &|progress| bar.draw(progress))?;
    drop(bar);
    let catalog = tree.catalog(arguments.catalog.latest()?);
    let addresses = arguments.catalog.site(tree.config()).addresses;
    let issued = Issued::of(&catalog);
    let implementation = find(&catalog, &arguments.implementation)?;
    let about = about(arguments, &issued)?;
    let snippet = |markup| {
        let image = format!("badges/{}.svg", about.path(&implementation.slug));
        let image = addresses.file(&image);
        let link = addresses.implementation(implementation);
        let alternative = issued.alternative(implementation, about);
        badge::snippet(markup, &alternative, &image, &link)
    };
    let badge = || issued.badge(&catalog, implementation, about);
    let text = match arguments.format {
        Format::Svg => badge::svg(&badge()),
        Format::Shields => badge::shields(&badge()),
        Format::Markdown => snippet(Markup::Markdown),
        Format::Rst => snippet(Markup::Rst),
        Format::Asciidoc => snippet(Markup::AsciiDoc),
        Format::Html => snippet(Markup::Html),
    };
    streams.stdout.write_all(text.as_bytes())?;
    Ok(Exit::Done)
}

fn find<'c, 'a>(catalog: &'c Catalog<'a>, name: &str) -> Result<&'c Implementation<'a>, Failure> {
    let all = &catalog.implementations;
    let is_slug = |one: &&Implementation<'_>| one.slug == name;
    let is_alias = |one: &&Implementation<'_>| one.aliases.iter().any(|alias| alias == name);
    if let Some(one) = all.iter().find(is_slug).or(all.iter().find(is_alias)) {
        return Ok(one);
    }
    let full = |one: &Implementation<'_>| format!("{}/{}", one.organization, one.project);
    let named: Vec<_> = all.iter().filter(|one| full(one) == name).collect();
    // The project alone is enough where no other organization has one of that name.
    let projects: Vec<_> = all.iter().filter(|one| one.project == name).collect();
    match (named.as_slice(), projects.as_slice()) {
        ([one], _) | ([], [one]) => Ok(one),
        ([], []) => {
            let mut known: Vec<String> = all.iter().map(|one| one.slug.clone()).collect();
            known.extend(all.iter().flat_map(|one| one.aliases.clone()));
            known.extend(all.iter().map(full));
            known.extend(all.iter().map(|one| one.project.to_string()));
            let hint = suggest::nearest(name, known.iter().map(String::as_str));
            let hint = hint.map_or(String::new(), |hint| format!("; did you mean `{hint}`?"));
            Err(Failure::Usage(anyhow!(
                "no implementation of this tree is named `{name}`{hint}"
            )))
        }
        (same_names, same_projects) => {
            let several = if same_names.is_empty() {
                same_projects
            } else {
                same_names
            };
            let slugs: Vec<_> = several.iter().map(|one| one.slug.as_str()).collect();
            Err(Failure::Usage(anyhow!(
                "`{name}` can be read as {}: give one of these",
                slugs.join(" or ")
            )))
        }
    }
}

/// What the badge is about: only what there are badges for on a site.
fn about<'i>(arguments: &Arguments, issued: &'i Issued) -> Result<About<'i>, Failure> {
    if let Some(family) = arguments.family {
        return Ok(About::Family(match family {
            Family::Gateway => registry::Family::Gateway,
            Family::Mesh => registry::Family::Mesh,
        }));
    }
    if let Some(name) = &arguments.profile {
        let mut known = issued.profiles.keys().map(|known| &**known);
        return match known.clone().find(|known| known == name) {
            Some(profile) => Ok(About::Profile(profile)),
            None => {
                let hint = match suggest::nearest(name, known.clone()) {
                    Some(hint) => format!("; did you mean `{hint}`?"),
                    None => listed(&mut known),
                };
                Err(Failure::Usage(anyhow!(
                    "no report of this tree has the profile `{name}`{hint}"
                )))
            }
        };
    }
    let Some(text) = &arguments.minor else {
        return Ok(About::Whole);
    };
    let minor = minor("--minor", text)?;
    if issued.minors.contains(&minor) {
        return Ok(About::Minor(minor));
    }
    let known = listed(issued.minors.iter().map(ToString::to_string));
    Err(Failure::Usage(anyhow!(
        "no report of this tree is for {minor}{known}"
    )))
}

/// `: it has a, b`
fn listed(known: impl Iterator<Item = impl AsRef<str>>) -> String {
    let known: Vec<_> = known.collect();
    let known: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
    if known.is_empty() {
        return String::new();
    }
    format!(": it has {}", known.join(", "))
}
