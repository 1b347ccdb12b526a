use crate::rules::{ChangeContext, Findings, MovedAddress, Owner, rule};
use gwconform_base::text::MAX_EXAMPLES;
use gwconform_base::text::diagnostic::{Anchor, Severity, Subject};
use gwconform_base::text::message::{Fill, Message};

rule! {
    "address_moved.md", ChangeContext(check), Text<'a>;
    Taken { path: &'a str, address: &'a str, owner: &'a Owner, to: &'a str } => "the report {path} takes the address {address} from {owner}, which moves to {to}",
    Moved { owner: &'a Owner, address: &'a str, to: &'a str } => "{owner} moves from the address {address} to {to}",
    Gone { owner: &'a Owner, address: &'a str } => "{owner} no longer has a report, so its address {address} vanishes",
    Report { path: &'a str } => "the report {path}",
    HadAddress { address: &'a str, revision: &'a str } => "has the address {address} in {revision}",
    /// `aliases` is a line of TOML.
    AddAlias { aliases: String, name: &'a str } => "keep the name, or first add {aliases} to the `[[implementation]]` entry of {name}, as a separate change",
    KeepReport => "keep a report of the implementation; its page, badges and feed vanish otherwise",
    KeepName => "keep the file name and the folder of an accepted report; links to its page break otherwise",
    Alias { moves: Message } => "the configuration moves the address {moves}",
    Aliases { count: usize, moves: Message } => "the configuration moves {count} addresses: {moves}",
    Move { address: &'a str, to: &'a str } => "{address} to {to}",
    StaysValid => "the old addresses stay valid: their pages redirect, and their badges and feeds are still written",
    Separate => "submit the configuration as a separate change; it may then move the address",
    OwnName => "give the new report a file name of its own in the folder of the implementation",
}

fn check(cx: &ChangeContext<'_>, out: &mut Findings) {
    // If only the configuration changes, aliases are intended and cause a single warning.
    let (kept, others): (Vec<_>, Vec<_>) =
        (cx.moved.iter()).partition(|moved| moved.is_kept && cx.config_alone.is_some());
    if let Some(config) = cx.config_alone.filter(|_| !kept.is_empty()) {
        let severity = out.severity();
        let finding = out.at(Anchor::path(config), by_alias(&kept));
        finding.severity = severity.min(Severity::Warning);
        finding.help(Text::StaysValid);
    }
    for moved in others {
        let severity = out.severity();
        let subject = Subject::new(format!("address {}", moved.address));
        let anchor = Anchor::new(moved.place.clone(), subject);
        let finding = out.at(anchor, message(moved));
        // A rename is intended but still breaks links.
        if moved.is_renamed {
            finding.severity = severity.min(Severity::Warning);
        }
        if let Some(place) = &moved.owner_place {
            let (address, revision) = (moved.address.as_str(), cx.revision);
            finding.label(place.clone(), Text::HadAddress { address, revision });
        }
        finding.help(help(moved));
    }
}

fn by_alias(kept: &[&MovedAddress]) -> Message {
    let moves = kept.iter().map(|moved| {
        let to = moved.new_address.as_deref().unwrap_or_default();
        let address = moved.address.as_str();
        Message::from(Text::Move { address, to })
    });
    let moves = Message::list_up_to(MAX_EXAMPLES, moves.collect(), ", ", " and ");
    match kept.len() {
        1 => Text::Alias { moves }.into(),
        count => Text::Aliases { count, moves }.into(),
    }
}

fn message(moved: &MovedAddress) -> Text<'_> {
    let MovedAddress { owner, address, .. } = moved;
    match (&moved.taken_by, &moved.new_address) {
        (Some(path), Some(to)) => Text::Taken {
            path,
            address,
            owner,
            to,
        },
        (None, Some(to)) => Text::Moved { owner, address, to },
        (_, None) => Text::Gone { owner, address },
    }
}

fn help(moved: &MovedAddress) -> Text<'_> {
    match (&moved.owner, &moved.alias) {
        _ if moved.is_kept => Text::Separate,
        (_, Some([name, former])) => Text::AddAlias {
            aliases: format!("aliases = [{former:?}]"),
            name,
        },
        (Owner::Implementation(_), None) => Text::KeepReport,
        (Owner::Report(_), _) if moved.is_renamed => Text::KeepName,
        (Owner::Report(_), _) => Text::OwnName,
    }
}

impl Fill for Owner {
    fn add_to(&self, message: &mut Message) {
        match self {
            Self::Implementation(name) => message.push_code(name),
            Self::Report(path) => message.push(Text::Report { path }.into()),
        }
    }
}
