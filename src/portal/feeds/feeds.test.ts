import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { renderAtomFeed } from "./atom.ts";
import { escapeText, foldLine, renderCalendar, utcTime } from "./icalendar.ts";

const AT = Date.UTC(2026, 10, 17, 9, 0, 0) * 1000;
const anyText = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), fc.string());

/** Reads a calendar as RFC 5545 says: lines end with CRLF, and a line that begins with a space continues the one before. */
function readCalendar(text: string): readonly (readonly [name: string, value: string])[] {
  assert.ok(text.endsWith("\r\n"));
  const lines = text.replaceAll("\r\n ", "").split("\r\n").slice(0, -1);
  return lines.map((line) => {
    assert.doesNotMatch(line, /[\r\n]/);
    const [, name, value] = /^([A-Z-]+)(?:;[A-Z]+=[A-Za-z-]+)*:(.*)$/su.exec(line) ?? [];
    assert.ok(name !== undefined && value !== undefined, line);
    return [name, value] as const;
  });
}

const unescapeText = (value: string): string =>
  value.replaceAll(/\\(.)/g, (_, character: string) => (/[nN]/.test(character) ? "\n" : character));

describe("a calendar", () => {
  it("has the properties that RFC 5545 requires, in UTC", () => {
    const text = renderCalendar({
      name: "Кінцеві строки",
      language: "uk",
      url: "https://tenders.example/tenders.ics?q=a",
      events: [
        {
          uid: "x@tenders.example",
          start: AT + 999_999,
          modified: AT,
          summary: "Подання; до, 11:00\nдалі\\",
          url: "https://tenders.example/tenders/x",
          categories: ["a,b", "c"],
        },
      ],
    });
    const properties = readCalendar(text);
    assert.deepEqual(properties, [
      ["BEGIN", "VCALENDAR"],
      ["VERSION", "2.0"],
      ["PRODID", "-//Tenderhall//Tenderhall//EN"],
      ["CALSCALE", "GREGORIAN"],
      ["NAME", "Кінцеві строки"],
      ["X-WR-CALNAME", "Кінцеві строки"],
      ["SOURCE", "https://tenders.example/tenders.ics?q=a"],
      ["REFRESH-INTERVAL", "PT1H"],
      ["X-PUBLISHED-TTL", "PT1H"],
      ["BEGIN", "VEVENT"],
      ["UID", "x@tenders.example"],
      ["DTSTAMP", "20261117T090000Z"],
      ["LAST-MODIFIED", "20261117T090000Z"],
      ["DTSTART", "20261117T090000Z"],
      ["SUMMARY", "Подання\\; до\\, 11:00\\nдалі\\\\"],
      ["URL", "https://tenders.example/tenders/x"],
      ["CATEGORIES", "a\\,b,c"],
      ["TRANSP", "TRANSPARENT"],
      ["END", "VEVENT"],
      ["END", "VCALENDAR"],
    ]);
  });

  it("shows any text as it is, without control characters, in lines of at most 75 bytes", () => {
    fc.assert(
      fc.property(anyText, anyText, (summary, description) => {
        const event = { uid: "u", start: AT, end: AT + 1, modified: AT, summary, description };
        const text = renderCalendar({ name: summary, language: "en", events: [event] });
        for (const line of text.split("\r\n")) {
          assert.ok(Buffer.byteLength(line) <= 75);
          assert.ok(line.isWellFormed());
          assert.doesNotMatch(line, /[\u0000-\u001f\u007f]/);
        }
        const [, value] = readCalendar(text).find(([name]) => name === "SUMMARY") ?? [];
        const expected = summary.toWellFormed().replaceAll(/\r\n?/g, "\n");
        assert.equal(unescapeText(value ?? ""), expected.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f]/g, " "));
      }),
    );
  });

  it("without events has a component all the same, as RFC 5545 requires", () => {
    const components = readCalendar(renderCalendar({ name: "Empty", language: "en", events: [] }))
      .filter(([name]) => name === "BEGIN")
      .map(([, value]) => value);
    assert.deepEqual(components, ["VCALENDAR", "VTIMEZONE", "STANDARD"]);
  });

  it("folds between characters", () => {
    assert.equal(foldLine("a".repeat(75)), "a".repeat(75));
    assert.equal(foldLine("a".repeat(76)), `${"a".repeat(75)}\r\n a`);
    assert.equal(foldLine(`${"a".repeat(74)}є`), `${"a".repeat(74)}\r\n є`);
    assert.equal(foldLine("😀".repeat(40)).replaceAll("\r\n ", ""), "😀".repeat(40));
  });

  it("cuts fractions of a second off, before and after 1970", () => {
    assert.equal(utcTime(AT + 999_999), "20261117T090000Z");
    assert.equal(utcTime(-1), "19691231T235959Z");
    assert.equal(escapeText("a\r\nb\rc"), "a\\nb\\nc");
  });
});

describe("an Atom feed", () => {
  const feed = {
    id: "tag:tenders.example,2026:search",
    title: "Пошук",
    language: "uk",
    author: "Tenderhall",
    selfUrl: "https://tenders.example/tenders.atom?q=a&sort=newest",
    pageUrl: "https://tenders.example/tenders?q=a&sort=newest",
    updatedIfEmpty: AT,
  } as const;

  it("has what RFC 4287 requires", () => {
    const entry = {
      id: "urn:uuid:1",
      title: "<b>Ремонт</b> & co",
      url: "https://tenders.example/tenders/1",
      updated: AT + 5_000_000,
      author: "Замовник",
      summary: 'опис "1"',
      categories: [{ term: "active.tendering", label: "Подання" }],
    };
    assert.equal(
      renderAtomFeed({ ...feed, entries: [entry] }),
      `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="uk">
<id>tag:tenders.example,2026:search</id>
<title>Пошук</title>
<updated>2026-11-17T09:00:05.000Z</updated>
<author><name>Tenderhall</name></author>
<link rel="self" type="application/atom+xml" href="https://tenders.example/tenders.atom?q=a&amp;sort=newest"/>
<link rel="alternate" type="text/html" hreflang="uk" href="https://tenders.example/tenders?q=a&amp;sort=newest"/>
<entry>
<id>urn:uuid:1</id>
<title>&lt;b&gt;Ремонт&lt;/b&gt; &amp; co</title>
<link rel="alternate" type="text/html" href="https://tenders.example/tenders/1"/>
<updated>2026-11-17T09:00:05.000Z</updated>
<author><name>Замовник</name></author>
<category term="active.tendering" label="Подання"/>
<summary>опис &quot;1&quot;</summary>
</entry>
</feed>
`,
    );
    assert.match(renderAtomFeed({ ...feed, entries: [] }), /<updated>2026-11-17T09:00:00.000Z<\/updated>/);
  });

  it("is XML whatever a text contains", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const xmlOf = (inserted: string) => {
          const entry = { id: "urn:uuid:1", title: inserted, url: "https://x/", updated: AT, summary: inserted };
          const entries = [{ ...entry, author: `a${inserted}`, categories: [{ term: inserted }] }];
          return renderAtomFeed({ ...feed, subtitle: inserted, entries });
        };
        const xml = xmlOf(text);
        assert.ok(xml.isWellFormed());
        assert.doesNotMatch(xml, /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/);
        assert.doesNotMatch(xml, /&(?!(?:amp|lt|gt|quot|#13);)/);
        const tagsOf = (document: string) => document.match(/<\/?\w+|>/g);
        assert.deepEqual(tagsOf(xml), tagsOf(xmlOf("plain")));
      }),
    );
  });
});
