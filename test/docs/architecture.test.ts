import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import {
  directImports,
  drawModules,
  MODULE_DIAGRAM,
  moduleTable,
  renderModuleDiagram,
} from "../../scripts/moduleDiagram.ts";
import type { Box } from "../../scripts/stateDiagram.ts";
import { SETTINGS } from "../../src/config/settings.ts";

/** Everything that ARCHITECTURE.md, GLOSSARY.md and the decision records name in the source exists. */

const architecture = readFileSync("ARCHITECTURE.md", "utf8");
const glossary = readFileSync("GLOSSARY.md", "utf8");

const FILE = /^[\w./-]+\.(?:ts|mjs|json)$/;
const FUNCTION = /^(\w+)\(\)$/;
const TYPE_OR_CONSTANT = /^(?:[A-Z][a-z]\w+|[A-Z]+_[A-Z_]+|[A-Z]{4,})$/;

/** Paragraphs, list items and table rows, without diagrams. */
const passagesOf = (markdown: string): readonly string[] =>
  markdown.replace(/^```.*?^```$/gms, "").split(/\n(?=\n|\d+\. |- |\| )/);

const codeIn = (passage: string): readonly string[] => [...passage.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);

/** Paths are relative to src or to the root of the repository. */
const pathOf = (name: string): string | undefined =>
  [join("src", name), name].find((candidate) => existsSync(candidate));

const declares = (file: string, name: string): boolean =>
  new RegExp(`\\b(?:function|const|type|class) ${name}\\b`).test(readFileSync(file, "utf8"));

/** The problems with the names in backticks in a passage. */
function problemsIn(passage: string): readonly string[] {
  const names = codeIn(passage);
  const files = names.filter((name) => FILE.test(name));
  const missing = files.filter((name) => pathOf(name) === undefined).map((name) => `there is no ${name}`);
  const paths = files.flatMap((name) => pathOf(name) ?? []);
  const declared = names.flatMap((name) => FUNCTION.exec(name)?.[1] ?? (TYPE_OR_CONSTANT.test(name) ? name : []));
  const isKnown = (name: string) =>
    SETTINGS.some((setting) => setting.name === name) || paths.some((path) => declares(path, name));
  const undeclared = declared.filter((name) => !HEADERS.includes(name) && !isKnown(name));
  return [...missing, ...undeclared.map((name) => `none of the files declares ${name}: ${passage.trim()}`)];
}

const HEADERS = ["Location"];

describe("ARCHITECTURE.md", () => {
  const passages = passagesOf(architecture);

  it("names only files, functions and types that exist, each function with the file that declares it", () => {
    assert.deepEqual(passages.flatMap(problemsIn), []);
    const names = passages.flatMap(codeIn);
    assert.ok(names.filter((name) => FILE.test(name)).length > 80);
    assert.ok(names.filter((name) => FUNCTION.test(name)).length > 50);
  });

  it("is really checked: a wrong name is found", () => {
    assert.equal(problemsIn("`domain/nothing.ts`").length, 1);
    assert.equal(problemsIn("`decideNothing()` in `domain/decide.ts`").length, 1);
    assert.equal(problemsIn("`Exchanged` in `http/exchange.ts`").length, 1);
    assert.deepEqual(problemsIn("`decide()` in `domain/decide.ts`, `Exchange` in `http/exchange.ts`, `WORKERS`"), []);
  });

  it("has a short numbered list for the path of a bid, a read, a deadline, an upload and a webhook", () => {
    for (const subject of ["a bid", "a read", "a deadline", "an upload", "a webhook"]) {
      const section = architecture.split(`\n## The path of ${subject}\n`)[1]?.split("\n## ")[0] ?? "";
      const steps = section.match(/^\d+\. /gm)?.length ?? 0;
      assert.ok(steps >= 4 && steps <= 9, `${subject}: ${steps} steps`);
    }
  });
});

describe("the diagram of the modules", () => {
  it("is current: npm run diagrams draws it from the table", () => {
    assert.equal(readFileSync(MODULE_DIAGRAM, "utf8"), renderModuleDiagram());
    assert.ok(architecture.includes(`](${MODULE_DIAGRAM})`));
  });

  it("has every module once, and every import of the table follows from its arrows", () => {
    const modules = moduleTable();
    assert.deepEqual(
      drawModules().statuses.map(({ name }) => name),
      [...modules.keys()],
    );
    const arrows = directImports(modules);
    const reaches = (from: string, to: string): boolean =>
      arrows.some(([start, end]) => start === from && (end === to || reaches(end, to)));
    for (const [from, imports] of modules) for (const to of imports) assert.ok(reaches(from, to), `${from} to ${to}`);
  });

  it("has no overlapping boxes, and no arrow through a box", () => {
    const { statuses, arrows } = drawModules();
    for (const [i, a] of statuses.entries())
      for (const b of statuses.slice(i + 1)) assert.ok(!overlap(a, b), `${a.name} and ${b.name}`);
    for (const points of arrows)
      for (const [i, start] of points.slice(0, -1).entries())
        for (const box of statuses) assert.ok(!crosses(start, points[i + 1]!, box), `${points.join(" ")} ${box.name}`);
  });
});

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

type Point = readonly [x: number, y: number];

/** Whether a line passes through the inside of a box; its ends may touch the border. */
function crosses([x, y]: Point, [toX, toY]: Point, box: Box): boolean {
  const steps = 200;
  return Array.from({ length: steps + 1 }, (_, i) => i / steps).some((part) => {
    const [atX, atY] = [x + (toX - x) * part, y + (toY - y) * part];
    return atX > box.x + 1 && atX < box.x + box.width - 1 && atY > box.y + 1 && atY < box.y + box.height - 1;
  });
}

describe("GLOSSARY.md", () => {
  const tables = glossary.split("\n## ").slice(1);
  const rowsOf = (table: string) =>
    [...table.matchAll(/^\| (?!term)(.+) \|$/gm)].map(([, row]) => row!.split("|").map((cell) => cell.trim()));

  it("has each term once, in alphabetical order, with one sentence", () => {
    const terms = tables.flatMap((table) => rowsOf(table).map(([term]) => term!));
    assert.ok(terms.length > 80);
    assert.equal(new Set(terms.map((term) => term.toLowerCase())).size, terms.length);
    for (const table of tables) {
      const listed = rowsOf(table).map(([term]) => term!.toLowerCase());
      assert.deepEqual(listed, listed.toSorted());
      for (const [term, ...cells] of rowsOf(table)) assert.match(cells.at(-1)!, /^[A-Z][^.]*(\.\w[^.]*)*\.$/, term!);
    }
  });

  it("is linked from the README, ARCHITECTURE.md and the documentation", () => {
    for (const file of ["README.md", "ARCHITECTURE.md"])
      assert.ok(readFileSync(file, "utf8").includes("](GLOSSARY.md)"), file);
  });
});

describe("the documentation in the repository", () => {
  const files = [...globSync("*.md"), ...globSync("docs/**/*.md"), ...globSync("packages/*/*.md")];

  it("links only to files and headings that exist", () => {
    let links = 0;
    for (const file of files) {
      const text = readFileSync(file, "utf8").replace(/^ *```.*?^ *```$/gms, "");
      for (const [, href] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https?:/.test(href!)) continue;
        links += 1;
        const [path = "", anchor] = href!.split("#");
        const target = path ? join(dirname(file), path) : file;
        assert.ok(existsSync(target), `${file} links to ${href}`);
        if (anchor && target.endsWith(".md")) assert.ok(anchorsIn(target).has(anchor), `${file} links to ${href}`);
      }
    }
    assert.ok(links > 100);
  });

  it("names source files that exist", () => {
    for (const file of files.filter((name) => name !== "CHANGELOG.md"))
      for (const [, path] of readFileSync(file, "utf8").matchAll(
        /`((?:src|test|scripts|bench|deploy)\/[\w./-]+\.\w+)`/g,
      ))
        assert.ok(existsSync(path!), `${file} names ${path}`);
  });
});

/** The anchors of a page, as GitHub and the site make them from its headings. */
function anchorsIn(file: string): ReadonlySet<string> {
  const text = readFileSync(file, "utf8").replace(/^ *```.*?^ *```$/gms, "");
  return new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replaceAll(" ", "-"),
    ),
  );
}
