"""Reads every feed in a folder with a feed parser, and fails if a feed has a fault."""

import pathlib
import sys

import feedparser

feeds = sorted(pathlib.Path(sys.argv[1]).rglob("*.atom"))
faults = 0
for path in feeds:
    feed = feedparser.parse(path.read_bytes())
    ids = [entry.id for entry in feed.entries]
    dates = [entry.get("updated_parsed") for entry in feed.entries]
    is_right = (
        not feed.bozo
        and feed.version == "atom10"
        and feed.feed.get("updated_parsed")
        and feed.feed.get("author")
        and all(dates)
        and len(set(ids)) == len(ids)
    )
    if not is_right:
        faults += 1
        print(f"{path}: {feed.get('bozo_exception', 'an id or a date is missing or repeated')}")
print(f"{len(feeds)} feeds, {faults} with faults")
sys.exit(faults > 0 or not feeds)
