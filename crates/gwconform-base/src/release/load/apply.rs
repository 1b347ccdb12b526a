use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::{Entries, File, FileError, ReleaseFile, Trust};
use crate::release::content::{Content, Named};
use crate::release::document::{FeatureChange, ProfileChange, TestChange};
use crate::release::{Feature, Profile, Test};

pub(super) fn apply(
    file: &File<'_>,
    change: &ReleaseFile<'_>,
    content: &mut Content,
    errors: &mut Vec<FileError>,
) {
    if let Some(api_version) = &change.report_api_version {
        content.report_api_version = Some(api_version.clone());
    }
    if let Some(when) = change.test_is_extended_when {
        content.extended_when = Some(when);
    }
    for (&channel, crds) in &change.crds {
        content.crds.insert(channel, crds.clone());
    }
    apply_to(
        &mut content.features,
        file,
        &change.features,
        errors,
        changed_feature,
    );
    apply_to(
        &mut content.profiles,
        file,
        &change.profiles,
        errors,
        changed_profile,
    );
    apply_to(
        &mut content.tests,
        file,
        &change.tests,
        errors,
        changed_test,
    );
    if file.trust == Trust::None {
        check_references(file, change, content, errors);
    }
}

/// `changed` combines the name, the base value and the change.
fn apply_to<T, C: DeserializeOwned>(
    facts: &mut Named<T>,
    file: &File<'_>,
    entries: &Entries<'_>,
    errors: &mut Vec<FileError>,
    changed: fn(&str, Option<&T>, C) -> Result<T, String>,
) {
    for (name, &part) in &entries.0 {
        match file.read_part::<Option<C>>(part) {
            Ok(None) => {
                if facts.remove(name).is_none() {
                    let message = format!("`{name}` is removed, but is not in the base");
                    errors.push(file.error(file.line_of(part), message));
                }
            }
            Ok(Some(change)) => match changed(name, facts.get(name).map(Arc::as_ref), change) {
                Ok(fact) => {
                    facts.insert(name.clone(), Arc::new(fact));
                }
                Err(message) => errors.push(file.error(file.line_of(part), message)),
            },
            Err(error) => errors.push(error),
        }
    }
}

fn changed_feature(
    name: &str,
    base: Option<&Feature>,
    change: FeatureChange,
) -> Result<Feature, String> {
    Ok(Feature {
        name: name.to_owned(),
        level: given(name, "level", change.level, base.map(|base| base.level))?,
        channel: given(
            name,
            "channel",
            change.channel,
            base.map(|base| base.channel),
        )?,
        resource: change.resource.or_else(|| base?.resource.clone()),
        meaning: change.meaning.or_else(|| base?.meaning.clone()),
        renamed_from: change.renamed_from.or_else(|| base?.renamed_from.clone()),
    })
}

fn changed_profile(
    name: &str,
    base: Option<&Profile>,
    change: ProfileChange,
) -> Result<Profile, String> {
    let report_name = change
        .report_name
        .or_else(|| Some(base?.report_name.clone()));
    let core = given(
        name,
        "core",
        change.core,
        base.map(|older| older.core.clone()),
    )?;
    let extended = given(
        name,
        "extended",
        change.extended,
        base.map(|older| older.extended.clone()),
    )?;
    Ok(Profile {
        name: name.to_owned(),
        family: given(name, "family", change.family, base.map(|base| base.family))?,
        report_name: report_name.unwrap_or_else(|| name.to_owned()),
        core: changed_list(core, change.core_added, &change.core_removed)?,
        extended: changed_list(extended, change.extended_added, &change.extended_removed)?,
        renamed_from: change.renamed_from.or_else(|| base?.renamed_from.clone()),
    })
}

fn changed_test(name: &str, base: Option<&Test>, change: TestChange) -> Result<Test, String> {
    let features = base.map(|base| base.features.clone());
    Ok(Test {
        name: name.to_owned(),
        features: given(name, "features", change.features, features)?,
        provisional: change
            .provisional
            .unwrap_or(base.is_some_and(|base| base.provisional)),
        parallel: change
            .parallel
            .unwrap_or(base.is_some_and(|base| base.parallel)),
        renamed_from: change.renamed_from.or_else(|| base?.renamed_from.clone()),
    })
}

fn given<T>(name: &str, field: &str, changed: Option<T>, base: Option<T>) -> Result<T, String> {
    changed
        .or(base)
        .ok_or_else(|| format!("new entry `{name}` has no {field}"))
}

fn changed_list(
    mut list: Vec<String>,
    added: Vec<String>,
    removed: &[String],
) -> Result<Vec<String>, String> {
    for name in removed {
        let Some(at) = list.iter().position(|held| held == name) else {
            return Err(format!(
                "`{name}` is removed, but is not in this list of the base"
            ));
        };
        list.remove(at);
    }
    list.extend(added);
    list.sort_unstable();
    match list.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("duplicate `{}` in the list", pair[0])),
        None => Ok(list),
    }
}

fn check_references(
    file: &File<'_>,
    change: &ReleaseFile<'_>,
    content: &Content,
    errors: &mut Vec<FileError>,
) {
    let mut check = |entries: &Entries<'_>, owner: &str, features: &[String]| {
        for feature in features {
            if !content.features.contains_key(feature) {
                // An unchanged test or profile of the base may still refer to a removed feature.
                let part = entries.0.get(owner).or(change.features.0.get(feature));
                let line = part.map_or(1, |part| file.line_of(part));
                let message = format!("unknown feature `{feature}` of `{owner}`");
                errors.push(file.error(line, message));
            }
        }
    };
    for (name, profile) in &content.profiles {
        check(&change.profiles, name, &profile.core);
        check(&change.profiles, name, &profile.extended);
    }
    for (name, test) in &content.tests {
        check(&change.tests, name, &test.features);
    }
}
