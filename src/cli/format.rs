//! The names of [`Format`] as values of `--format`.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::print::Format;

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::Human,
            Self::Json,
            Self::Sarif,
            Self::Github,
            Self::Junit,
            Self::Markdown,
            Self::Suggestions,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Self::Human => "For people: source lines with carets",
            Self::Json => "For programs; `gwconform schema findings` describes it",
            Self::Sarif => "For code scanning: SARIF 2.1.0",
            Self::Github => {
                "For a log of GitHub Actions, which shows the findings beside the lines"
            }
            Self::Junit => "For the dashboards of CI systems: JUnit XML",
            Self::Suggestions => {
                "With --since: safe fixes of changed lines, as the body of a review on GitHub"
            }
            Self::Markdown => "For a job summary or a comment, at most 60,000 characters",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}
