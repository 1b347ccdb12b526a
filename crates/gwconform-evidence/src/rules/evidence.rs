//! Rules that compare a report with the log of its run (`gwconform verify`).

rules! {
    RULES: Rule<EvidenceContext> {
        count,
        date,
        failed,
        feature,
        no_report,
        not_failed,
        not_run,
        not_skipped,
        provisional,
        report_differs,
        run_failed,
        settings,
        skipped,
        unfinished,
        unknown_test,
    }
}

use crate::log::{Mark, Outcome, Printed};
use crate::rules::{Findings, Input, Rule, Scope, rules};
use crate::{Claim, Comparison, Difference, Logged, ResultDifference};
use gwconform_base::text::diagnostic::{Anchor, Diagnostic, Excerpt, Place, Region, Subject};
use gwconform_base::text::message::{Words, texts};
use gwconform_base::text::node_path::path_to;
use gwconform_base::text::source::{Position, Source, Span};
use gwconform_report::rules::Remedy;
use gwconform_yaml::NodeId;

/// Report, and the log of its run.
#[derive(Debug, Clone, Copy)]
pub struct EvidenceContext<'a> {
    /// Values in the report, and the run in the log.
    pub claim: &'a Claim<'a>,
    /// Differences between the report and the run.
    pub comparison: &'a Comparison,
    /// Position of the report, if extracted from the log.
    pub printed: Option<&'a Printed>,
}

texts! {
    pub(crate) enum Text {
        InLog => "in the log",
        Printed => "printed here",
        Options => "options of the run",
    }
}

texts! {
    enum ResultText<'a> {
        Differs { test: &'a str, claimed: Words, logged: Words } => "test {test} is {claimed}, but in the log it {logged}",
    }
}

impl Input for EvidenceContext<'static> {
    type Of<'a> = EvidenceContext<'a>;
    const SCOPE: Scope = Scope::Log;
}

impl EvidenceContext<'_> {
    fn node(&self, node: NodeId) -> Anchor {
        let yaml = self.claim.yaml;
        let subject = Subject::new(path_to(yaml, node));
        let span = yaml.span(node);
        match yaml.text(node).filter(|_| !span.is_empty()) {
            Some(value) => Anchor::new(self.place(span), subject.with_value(value)),
            None => Anchor::new(self.place(yaml.span(yaml.head(node))), subject),
        }
    }

    fn whole(&self) -> Anchor {
        let yaml = self.claim.yaml;
        Anchor::new(
            self.place(yaml.span(yaml.head(self.claim.root))),
            Subject::whole(),
        )
    }

    fn place(&self, span: Span) -> Place {
        let place = Place::span(self.claim.source, span);
        match self.printed {
            Some(printed) => moved(place, printed),
            None => place,
        }
    }

    fn line(&self, mark: &Mark) -> Place {
        crate::log::place(mark, &self.claim.log.path)
    }

    fn printed_line(&self, nth: usize) -> Option<Place> {
        let printed = self.claim.run.said.printed.as_ref()?;
        let text = printed.text.as_str();
        let start: usize = text.split_inclusive('\n').take(nth).map(str::len).sum();
        let line = text.get(start..)?.lines().next()?;
        let begin = start + line.len() - line.trim_start().len();
        let source = Source::new(self.claim.log.path.as_str(), text.to_owned().into_bytes());
        let place = Place::span(&source, Span::new(begin, start + line.len()));
        Some(moved(place, printed))
    }

    fn point(&self, finding: &mut Diagnostic, mark: Option<&Mark>, text: Text) {
        if let Some(mark) = mark {
            finding.label(self.line(mark), text);
        }
    }

    /// Reports tests that the report counts as `claimed`. `evidence/failed` reports tests that
    /// failed in the log.
    fn report_results(&self, claimed: Outcome, out: &mut Findings) {
        for one in self.results() {
            if one.claimed != claimed || one.logged == Logged::Failed {
                continue;
            }
            let text = ResultText::Differs {
                test: &one.test,
                claimed: Words(match claimed {
                    Outcome::Passed => "counted as passed",
                    Outcome::Skipped => "listed as skipped",
                    Outcome::Failed => "listed as failed",
                }),
                logged: logged(one.logged),
            };
            let finding = out.at(self.result(one), text);
            self.point(finding, one.mark.as_ref(), Text::InLog);
            finding.help(Remedy::SubmitUnmodified);
        }
    }

    fn results(&self) -> impl Iterator<Item = &ResultDifference> {
        let differences = self.comparison.differences.iter();
        differences.filter_map(|one| match one {
            Difference::Result(one) => Some(one),
            _ => None,
        })
    }

    fn result(&self, one: &ResultDifference) -> Anchor {
        self.node(one.node).and(&one.test)
    }
}

fn outcome(outcome: Outcome) -> Words {
    Words(match outcome {
        Outcome::Passed => "passed",
        Outcome::Skipped => "skipped",
        Outcome::Failed => "failed",
    })
}

fn logged(logged: Logged) -> Words {
    Words(match logged {
        Logged::Passed => "passed",
        Logged::Skipped => "was skipped",
        Logged::Failed => "failed",
        Logged::NotSupported => "was skipped for a feature that is not supported",
        Logged::Unexplained => "was skipped",
        Logged::Open => "has no result",
        Logged::Elsewhere => "does not count in this profile and level",
    })
}

fn moved(mut place: Place, printed: &Printed) -> Place {
    let Some(region) = &mut place.region else {
        return place;
    };
    let at = |position: Position| printed.lines.get(position.line as usize - 1).copied();
    let (Some((line, before)), Some((end_line, _))) = (at(region.start), at(region.end)) else {
        return place;
    };
    let Some(before) = before.filter(|_| line == end_line || region.start.line != region.end.line)
    else {
        let start = Position { line, column: 1 };
        place.region = Some(Region {
            start,
            end: start,
            excerpt: None,
            is_secret: region.is_secret,
        });
        return place;
    };
    let shift = |column: u32| column.saturating_add(before);
    region.start = Position {
        line,
        column: shift(region.start.column),
    };
    region.end = Position {
        line: end_line,
        column: shift(region.end.column),
    };
    region.excerpt = region
        .excerpt
        .take()
        .filter(|excerpt| !excerpt.text.contains('\n'))
        .map(|excerpt| {
            let span = |offset: u32| offset.saturating_add(before) as usize;
            Excerpt {
                text: format!("{}{}", " ".repeat(before as usize), excerpt.text),
                span: Span::new(span(excerpt.span.start), span(excerpt.span.end)),
            }
        });
    place
}
