import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, normalize } from "node:path";
import { describe, it } from "node:test";

/** Keeps the source as ARCHITECTURE.md describes it. */

const sources = globSync("src/**/*.ts").filter((file) => !/\.(test|contract)\.ts$/.test(file));
const textOf = (file: string) => readFileSync(file, "utf8");
const moduleOf = (file: string) => file.split("/")[1]!;
const isGenerated = (file: string) => textOf(file).startsWith("// Made by scripts/");

/** Other modules see the store and the files through these ports; only the modules that open an engine see more. */
const PORTS: { readonly [module: string]: readonly string[] } = {
  store: ["src/store/store.ts"],
  files: ["src/files/files.ts", "src/files/documentsUrl.ts"],
};
const OPEN_ENGINES = ["app", "cli"];

/** Every module of the table in ARCHITECTURE.md with the modules that it may import. */
function allowedImports(): ReadonlyMap<string, readonly string[]> {
  const table = textOf("ARCHITECTURE.md").split("\n## Modules\n")[1]!.split("\n## ")[0]!;
  const rows = [...table.matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$/gm)];
  return new Map(
    rows.map(([, module, imports]) => [module!, [...imports!.matchAll(/`(\w+)`/g)].map(([, name]) => name!)]),
  );
}

const importsOf = (file: string): readonly string[] =>
  [...textOf(file).matchAll(/^(?:import|export)\s[^;]*?from\s+"([^"]+)"/gms)].map(([, from]) => from!);

const ownImportsOf = (file: string): readonly string[] =>
  importsOf(file)
    .filter((from) => from.startsWith("."))
    .map((from) => normalize(`${dirname(file)}/${from}`));

const codeOf = (file: string): string => textOf(file).replaceAll(/\/\*.*?\*\/|^\s*\/\/.*$/gms, "");

const VERSION = /["'`/](0\.1|0\.2|2\.\d)["'`/]/;

/** The beginning of an SQL statement, or a condition with a parameter. */
const SQL: readonly RegExp[] = [
  /["'`]\s*(select\s+\S|insert\s+into\b|update\s+\w+\s+set\b|delete\s+from\b|pragma\s|explain\s)/i,
  /["'`]\s*(create|drop|alter)\s+(unique\s+|temporary\s+)?(table|index|schema|view|trigger)\b/i,
  /["'`]\s*(begin\s+\w+|commit|rollback|vacuum|analyze|(savepoint|listen|notify)\s+\w+)\s*["'`]/,
  /\b(where|and|values|set|limit)\b[^"'`\n]*(\$\d|\s=\s*\?|\(\?)/i,
];

describe("the modules of src", () => {
  const allowed = allowedImports();

  it("are those of the table in ARCHITECTURE.md", () => {
    const modules = new Set(sources.filter((file) => file.split("/").length > 2).map(moduleOf));
    assert.deepEqual([...allowed.keys()].sort(), [...modules].sort());
    assert.deepEqual(
      sources.filter((file) => file.split("/").length === 2),
      ["src/main.ts"],
    );
  });

  it("import just the modules that the table allows, and use all that it allows", () => {
    const used = new Map<string, Set<string>>();
    for (const file of sources.filter((name) => name !== "src/main.ts")) {
      const from = moduleOf(file);
      for (const target of ownImportsOf(file)) {
        const to = moduleOf(target);
        if (to === from) continue;
        assert.ok(allowed.get(from)!.includes(to), `${file} imports ${target}`);
        used.set(from, (used.get(from) ?? new Set()).add(to));
        const port = PORTS[to];
        if (port && !OPEN_ENGINES.includes(from))
          assert.ok(port.includes(target), `${file} sees more than the port: ${target}`);
      }
    }
    for (const [module, imports] of allowed)
      assert.deepEqual([...(used.get(module) ?? [])].sort(), [...imports].sort(), `what ${module} imports`);
  });

  it("import in one direction: no module is reached from itself", () => {
    const visit = (module: string, path: readonly string[]): void => {
      assert.ok(!path.includes(module), [...path, module].join(" imports "));
      for (const next of allowed.get(module)!) visit(next, [...path, module]);
    };
    for (const module of allowed.keys()) visit(module, []);
  });

  it("keep the domain, the views and the dialects pure: no platform, no clock, no randomness", () => {
    for (const file of sources.filter((name) => ["domain", "views", "dialects"].includes(moduleOf(name)))) {
      for (const from of importsOf(file)) assert.ok(from.startsWith("."), `${file} imports ${from}`);
      const ambient = /Date\.now\(|new Date\(\)|Temporal\.Now|Math\.random\(|randomUUID|randomBytes|process\.env/;
      assert.doesNotMatch(textOf(file), ambient, file);
    }
  });

  it("keep the client to what browsers have too: no platform, no dependency", () => {
    for (const file of sources.filter((name) => moduleOf(name) === "client")) {
      for (const from of importsOf(file)) assert.ok(from.startsWith("./"), `${file} imports ${from}`);
      assert.doesNotMatch(textOf(file), /\b(process|Buffer|require)\b[.(]/, file);
    }
  });

  it("name versions of the API in the dialects alone", () => {
    // The client speaks the one version that its types are generated from.
    for (const file of sources.filter((name) => !["dialects", "client"].includes(moduleOf(name))))
      assert.doesNotMatch(codeOf(file), VERSION, file);
    for (const file of sources.filter((name) => ["domain", "registry", "store", "files"].includes(moduleOf(name))))
      assert.doesNotMatch(textOf(file), /\/api\//, file);
    for (const text of ['"2.3"', "`/api/2.5/tenders`", "'0.1'"]) assert.match(text, VERSION);
  });

  it("keep SQL and database drivers in the store", () => {
    for (const file of sources.filter((name) => moduleOf(name) !== "store")) {
      for (const pattern of SQL) assert.doesNotMatch(codeOf(file), pattern, file);
      for (const from of importsOf(file)) assert.doesNotMatch(from, /^(pg|node:sqlite)$/, file);
    }
    for (const text of [
      ...['"select 1"', "`select id\n  from notes`", '"delete from notes"', "'INSERT INTO notes values ($1)'"],
      ...['"update notes set text = $1 where id = $2"', "} where id = $1`", '"pragma user_version"'],
      ...['"create unique index i on notes (id)"', '"begin immediate"', '"listen changes"'],
    ])
      assert.ok(
        SQL.some((pattern) => pattern.test(text)),
        text,
      );
  });
});

describe("files and names", () => {
  it("are of a size to be read: no file over 350 lines, no folder much over 30 files, no vague file name", () => {
    const folders = new Map<string, number>();
    for (const file of sources.filter((name) => !isGenerated(name))) {
      assert.ok(textOf(file).split("\n").length <= 350, `${file} is too long: perhaps it is two things`);
      assert.doesNotMatch(file, /(^|\/)(utils?|helpers?|common|misc|manager|service)s?(\.ts|\/)/i);
      folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
    }
    for (const [folder, count] of folders) assert.ok(count <= 33, `${folder} has ${count} files`);
  });

  const exportedTypes = sources
    .filter((file) => moduleOf(file) !== "client")
    .flatMap((file) =>
      [...textOf(file).matchAll(/^export (?:type|interface|class|enum) (\w+)/gm)].map(([, name]) => ({
        file,
        name: name!,
      })),
    );

  it("declare no exported type name twice", () => {
    const declared = new Map<string, string>();
    for (const { file, name } of exportedTypes) {
      assert.equal(declared.get(name), undefined, `${name} is declared in ${declared.get(name)} and ${file}`);
      declared.set(name, file);
    }
  });

  it("use none of the words that we do not use for types", () => {
    const UNUSED =
      /^(Told|Asked|Done|Once|Kept|Manner|Manners|Wish|Wishes|Beside|Operated|Recorded|Refound|Seen|Said|Stray|Letter|Wording|Words|Looking|Making|Telling|Speaking|Asking|Reading|Answer|Line|Turn|Life|Left|Rest|Whole|One|Some|Thing|Things|Stuff|Data|Info|Item\d|Manager|Helper|Util)s?$|(Told|Asked|Wishes|Kept)$/;
    for (const { file, name } of exportedTypes) assert.doesNotMatch(name, UNUSED, file);
    for (const name of ["Told", "PageWishes", "Manners"]) assert.match(name, UNUSED);
  });
});
