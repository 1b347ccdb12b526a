//! Renders `robots.txt` and `sitemap.xml` (<https://www.sitemaps.org/protocol.html>). Sitemaps
//! require absolute URLs, so a base URL is required.

use askama::Template;

use super::File;
use super::paths::{self, BaseUrl};

/// Maximum URLs per file, a limit of the sitemap protocol.
const MAX_ADDRESSES: usize = 50_000;

#[derive(Template)]
#[template(path = "robots.txt")]
struct Robots {
    sitemap: Option<String>,
}

#[derive(Template)]
#[template(path = "sitemap.xml")]
struct Sitemap {
    pages: Vec<String>,
}

#[derive(Template)]
#[template(path = "sitemap_index.xml")]
struct SitemapIndex {
    parts: Vec<String>,
}

pub(super) fn files(paths: &[String], base: Option<&BaseUrl>) -> Vec<File> {
    let robots = Robots {
        sitemap: base.map(|base| base.join(paths::SITEMAP)),
    };
    let mut own = vec![File::rendered(paths::ROBOTS, &robots)];
    if let Some(base) = base {
        let pages = paths.iter().filter_map(|path| folder(path));
        let mut pages: Vec<String> = pages.map(|page| base.join(page)).collect();
        pages.sort_unstable();
        own.extend(sitemaps(base, pages, MAX_ADDRESSES));
    }
    own
}

fn folder(path: &str) -> Option<&str> {
    let folder = path.strip_suffix("index.html")?;
    (folder.is_empty() || folder.ends_with('/')).then_some(folder)
}

fn sitemaps(base: &BaseUrl, pages: Vec<String>, most: usize) -> Vec<File> {
    if pages.len() <= most {
        return vec![File::rendered(paths::SITEMAP, &Sitemap { pages })];
    }
    let parts = pages.chunks(most).enumerate();
    let mut files: Vec<File> = parts
        .map(|(at, pages)| {
            let pages = pages.to_vec();
            File::rendered(&paths::sitemap_part(at + 1), &Sitemap { pages })
        })
        .collect();
    let parts = files.iter().map(|part| base.join(&part.path)).collect();
    files.push(File::rendered(paths::SITEMAP, &SitemapIndex { parts }));
    files
}

#[cfg(test)]
mod tests {
    use super::{BaseUrl, folder, sitemaps};

    #[test]
    fn lists_only_folders_as_pages() {
        assert_eq!(folder("index.html"), Some(""));
        assert_eq!(folder("find/index.html"), Some("find/"));
        for other in ["404.html", "feed.atom", "x/noindex.html"] {
            assert_eq!(folder(other), None, "{other}");
        }
    }

    #[test]
    fn splits_many_addresses_into_several_files() {
        let base = BaseUrl::parse("https://acme.example/x").unwrap();
        let pages = ["", "a/", "b/"].map(|page| base.join(page)).to_vec();
        let one = sitemaps(&base, pages.clone(), 3);
        assert_eq!(one.len(), 1);
        let several = sitemaps(&base, pages, 2);
        let names: Vec<_> = several.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(names, ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"]);
        let text = |at: usize| String::from_utf8(several[at].bytes.clone()).unwrap();
        assert!(text(0).contains("<loc>https://acme.example/x/a/</loc>"));
        assert!(!text(0).contains("<loc>https://acme.example/x/b/</loc>"));
        assert!(text(1).contains("<loc>https://acme.example/x/b/</loc>"));
        assert!(text(2).contains("<loc>https://acme.example/x/sitemap-2.xml</loc>"));
    }
}
