use gwconform_base::release::Registry;

pub fn resource<'r>(registry: &'r Registry, feature: &str) -> &'r str {
    let declared = registry.feature(feature);
    let resource = declared.and_then(|feature| feature.resource.as_deref());
    resource.unwrap_or("Other")
}

/// Display name below a resource heading. For example, `HTTPRoute303RedirectStatusCode` becomes
/// `303 Redirect Status Code`. A feature with the name of its resource is not shortened.
pub fn label(feature: &str, resource: &str) -> String {
    match feature.strip_prefix(resource) {
        Some("") => feature.to_owned(),
        Some(rest) => words(rest),
        None => words(feature),
    }
}

/// Words that [`words`] does not split.
const WHOLE: &[&str] = &[
    "WebSocket",
    "HTTPRoute",
    "GRPCRoute",
    "TLSRoute",
    "TCPRoute",
    "UDPRoute",
    "ListenerSet",
    "GatewayClass",
    "ReferenceGrant",
    "ClusterIP",
];

/// Splits CamelCase. An abbreviation is one word, also with a single digit (`H2C`).
fn words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 8);
    let mut rest = name;
    while !rest.is_empty() {
        let whole = WHOLE.iter().find(|whole| rest.starts_with(**whole));
        let length = whole.map_or_else(|| word(rest), |whole| whole.len());
        let (word, after) = rest.split_at(length);
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
        rest = after;
    }
    words
}

fn word(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    let Some((_, mut before)) = chars.next() else {
        return 0;
    };
    let mut digits = usize::from(before.is_ascii_digit());
    while let Some((at, here)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let is_new = if here.is_ascii_digit() {
            digits == 0 && next.is_some_and(|next| next.is_ascii_digit())
        } else if digits > 0 {
            digits > 1
        } else {
            here.is_uppercase() && (before.is_lowercase() || next.is_some_and(char::is_lowercase))
        };
        if is_new {
            return at;
        }
        digits = if here.is_ascii_digit() { digits + 1 } else { 0 };
        before = here;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn splits_feature_names_into_words() {
        for (feature, resource, read) in [
            (
                "HTTPRoute303RedirectStatusCode",
                "HTTPRoute",
                "303 Redirect Status Code",
            ),
            (
                "HTTPRouteBackendProtocolH2C",
                "HTTPRoute",
                "Backend Protocol H2C",
            ),
            (
                "HTTPRouteBackendProtocolWebSocket",
                "HTTPRoute",
                "Backend Protocol WebSocket",
            ),
            ("HTTPRouteCORS", "HTTPRoute", "CORS"),
            ("HTTPRoute", "HTTPRoute", "HTTPRoute"),
            ("BackendTLSPolicy", "BackendTLSPolicy", "BackendTLSPolicy"),
            ("GatewayPort8080", "Gateway", "Port 8080"),
            (
                "GatewayHTTPSListenerDetectMisdirectedRequests",
                "Gateway",
                "HTTPS Listener Detect Misdirected Requests",
            ),
            (
                "MeshHTTPRouteQueryParamMatching",
                "Mesh",
                "HTTPRoute Query Param Matching",
            ),
            ("MeshClusterIPMatching", "Mesh", "ClusterIP Matching"),
            (
                "BackendTLSPolicySANValidation",
                "BackendTLSPolicy",
                "SAN Validation",
            ),
            ("é", "Other", "é"),
        ] {
            assert_eq!(label(feature, resource), read);
        }
    }
}
