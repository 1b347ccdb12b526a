use super::{About, BadgeScopes, family_named};
use gwconform_base::api::Minor;
use gwconform_base::text::suggest;

/// Reasons why a badge does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoBadge {
    /// No release has the profile.
    #[error("unknown profile `{name}`{hint}")]
    Profile {
        /// Profile name that the caller requested.
        name: String,
        /// Text to append to the message: `; did you mean …?` or `; expected one of …`.
        hint: String,
    },
    /// No release and no report of the implementation has the minor.
    #[error("no badge for {minor}{hint}")]
    Minor {
        /// Minor that the caller requested.
        minor: Minor,
        /// Text to append to the message: `; expected one of …`.
        hint: String,
    },
}

impl BadgeScopes {
    /// Returns the badge scope for a profile. Names are case-sensitive.
    pub fn profile(&self, name: &str) -> Result<About<'_>, NoBadge> {
        if let Some(family) = family_named(name) {
            return Ok(About::Family(family));
        }
        let mut profiles = self.profiles.keys().map(|profile| &**profile);
        if let Some(profile) = profiles.clone().find(|profile| *profile == name) {
            return Ok(About::Profile(profile));
        }
        Err(NoBadge::Profile {
            name: name.to_owned(),
            hint: match suggest::nearest(name, profiles.clone()) {
                Some(similar) => format!("; did you mean `{similar}`?"),
                None => listed(&mut profiles),
            },
        })
    }

    /// Returns the badge scope for a minor.
    pub fn minor(&self, minor: Minor) -> Result<About<'static>, NoBadge> {
        if self.minors.contains(&minor) {
            Ok(About::Minor(minor))
        } else {
            Err(NoBadge::Minor {
                minor,
                hint: listed(self.minors.iter().map(ToString::to_string)),
            })
        }
    }
}

fn listed(names: impl Iterator<Item = impl AsRef<str>>) -> String {
    let choices = names
        .map(|name| name.as_ref().to_owned())
        .collect::<Vec<String>>();
    if choices.is_empty() {
        return String::new();
    }
    format!("; expected one of {}", choices.join(", "))
}
