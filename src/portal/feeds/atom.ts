import type { Instant } from "../../domain/values/time.ts";
import { machineTime } from "../layout/formats.ts";
import type { Language } from "../layout/languages.ts";
import { escapeXml } from "./xml.ts";

/** Atom feeds (RFC 4287). */

export const ATOM_TYPE = "application/atom+xml; charset=UTF-8";

/** An entry of a feed. */
export type AtomEntry = {
  /** An IRI that never changes and belongs to this entry alone, such as `urn:uuid:…`. */
  readonly id: string;
  readonly title: string;
  /** The address of the page about it. */
  readonly url: string;
  readonly updated: Instant;
  readonly published?: Instant | undefined;
  /** Who is responsible for it, such as the buyer. */
  readonly author?: string | undefined;
  /** Plain text. */
  readonly summary?: string | undefined;
  readonly categories?: readonly { readonly term: string; readonly label?: string }[];
};

/** A feed, before it is written. */
export type AtomFeed = {
  readonly id: string;
  readonly title: string;
  readonly subtitle?: string | undefined;
  readonly language: Language;
  /** The author of the entries that name none. */
  readonly author: string;
  /** The address of the feed itself. */
  readonly selfUrl: string;
  /** The address of the page with the same content. */
  readonly pageUrl: string;
  /** The time of the last change, if there are no entries; otherwise the latest of theirs is used. */
  readonly updatedIfEmpty: Instant;
  readonly entries: readonly AtomEntry[];
};

/** Writes an Atom feed as XML. */
export function renderAtomFeed(feed: AtomFeed): string {
  const { id, title, subtitle, language, author, selfUrl, pageUrl, updatedIfEmpty, entries } = feed;
  const updated = entries.length === 0 ? updatedIfEmpty : Math.max(...entries.map((entry) => entry.updated));
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
${element("id", id)}${element("title", title)}${subtitle === undefined ? "" : element("subtitle", subtitle)}${element("updated", machineTime(updated))}<author>${element("name", author).trim()}</author>
<link rel="self" type="application/atom+xml" href="${escapeXml(selfUrl)}"/>
<link rel="alternate" type="text/html" hreflang="${language}" href="${escapeXml(pageUrl)}"/>
${entries.map(renderEntry).join("")}</feed>
`;
}

function renderEntry({ id, title, url, updated, published, author, summary, categories = [] }: AtomEntry): string {
  const parts = [
    element("id", id),
    // A feed reader shows an empty title as nothing to click on.
    element("title", title.trim() === "" ? url : title),
    `<link rel="alternate" type="text/html" href="${escapeXml(url)}"/>\n`,
    element("updated", machineTime(updated)),
    published === undefined ? "" : element("published", machineTime(published)),
    author === undefined || author.trim() === "" ? "" : `<author>${element("name", author).trim()}</author>\n`,
    ...categories.map(({ term, label }) => {
      const labelAttribute = label === undefined ? "" : ` label="${escapeXml(label)}"`;
      return `<category term="${escapeXml(term)}"${labelAttribute}/>\n`;
    }),
    summary === undefined ? "" : element("summary", summary),
  ];
  return `<entry>\n${parts.join("")}</entry>\n`;
}

const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>\n`;
