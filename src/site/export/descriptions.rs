use std::collections::BTreeMap;

use gwconform_report::tree::readme::included::{Labels, with_labels};

/// Description on a page with other descriptions.
pub struct Description<'t> {
    /// Unique name, used to rename labels.
    pub slug: &'t str,
    pub text: &'t mut String,
}

/// Renames reference labels that several texts of a page contain. In Markdown, the first definition
/// of a label applies to the whole page, so a link could point to the target of another
/// description. `around` are the other texts of the page.
pub fn separate(descriptions: &mut [Description<'_>], around: &[&str]) {
    let own = descriptions.iter().map(|one| Labels::new(one.text));
    let own: Vec<Labels> = own.collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for labels in own
        .iter()
        .cloned()
        .chain(around.iter().map(|text| Labels::new(text)))
    {
        for label in labels.defined.into_iter().chain(labels.open) {
            *counts.entry(label).or_default() += 1;
        }
    }
    for (one, labels) in descriptions.iter_mut().zip(&own) {
        let new_name = |label: &str| {
            let is_shared = labels.defined.contains(label) && counts.get(label)? > &1;
            let mut new = format!("{}-{label}", one.slug);
            while counts.contains_key(&new) {
                new.push('-');
            }
            is_shared.then_some(new)
        };
        match with_labels(one.text, &new_name) {
            Some(text) => *one.text = text,
            None => *one.text = gwconform_base::text::escape::markdown_text(one.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Description, separate};

    #[test]
    fn a_description_changes_no_link_of_another_text() {
        let mut texts = [
            "[a][docs] [gamma] [own]\n\n[docs]: /a\n[gamma]: /evil\n[own]: /own",
            "[b][Docs] [c][gamma] [d][top]\n\n[docs]: /b\n[top]: /b",
        ]
        .map(str::to_owned);
        let [one, other] = &mut texts;
        let mut all = [
            Description {
                slug: "a",
                text: one,
            },
            Description {
                slug: "b",
                text: other,
            },
        ];
        separate(&mut all, &["[top]: /page"]);
        assert_eq!(
            texts,
            [
                "[a][a-docs] [gamma][a-gamma] [own]\n\n[a-docs]: /a\n[a-gamma]: /evil\n[own]: /own",
                "[b][b-docs] [c][gamma] [d][b-top]\n\n[b-docs]: /b\n[b-top]: /b",
            ]
        );
    }
}
