import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, normalize } from "node:path";
import { describe, it } from "node:test";

/** Which folders of src may import which: inwards only. */
const INWARDS: { readonly [folder: string]: readonly string[] } = {
  domain: ["domain"],
  dialects: ["dialects", "domain"],
  store: ["store", "domain"],
  files: ["files"],
  registry: ["registry", "domain", "store"],
  http: ["http", "registry", "dialects", "domain", "files", "store", "config.ts", "audit.ts"],
  backup: ["backup", "registry", "domain"],
  client: ["client"],
  cli: [
    ...["cli", "backup", "registry", "dialects", "domain", "client"],
    ...["config.ts", "start.ts", "beside.ts", "serving.ts", "audit.ts", "launched.ts", "version.ts"],
  ],
  "config.ts": ["settingChecks.ts", "domain", "files", "http", "registry"],
  "settingChecks.ts": ["domain"],
};

/** All that is seen of the store and the files from outside: the ports that the registry and the service are made of. */
const PORTS = ["src/store/store.ts", "src/files/files.ts"];

const sources = globSync("src/**/*.ts").filter((file) => !/\.(test|contract)\.ts$/.test(file));
const textOf = (file: string) => readFileSync(file, "utf8");
const placeOf = (file: string) => file.split("/")[1]!;

function importsOf(file: string): readonly { readonly from: string; readonly typeOnly: boolean }[] {
  return [...textOf(file).matchAll(/^(?:import|export)\s+(type\s)?[^;]*?from\s+"([^"]+)"/gms)].map(
    ([, type, from]) => ({
      from: from!,
      typeOnly: type !== undefined,
    }),
  );
}

/** Without what is said of it. */
const codeOf = (file: string): string => textOf(file).replaceAll(/\/\*.*?\*\/|^\s*\/\/.*$/gms, "");

const VERSION = /["'`/](0\.1|0\.2|2\.\d)["'`/]/;

/** A text that begins as a statement does, or goes on as one: with or without values, in one line or in many. */
const SQL: readonly RegExp[] = [
  /["'`]\s*(select\s+\S|insert\s+into\b|update\s+\w+\s+set\b|delete\s+from\b|pragma\s|explain\s)/i,
  /["'`]\s*(create|drop|alter)\s+(unique\s+|temporary\s+)?(table|index|schema|view|trigger)\b/i,
  /["'`]\s*(begin\s+\w+|commit|rollback|vacuum|analyze|(savepoint|listen|notify)\s+\w+)\s*["'`]/,
  /\b(where|and|values|set|limit)\b[^"'`\n]*(\$\d|\s=\s*\?|\(\?)/i,
];

describe("the house", () => {
  it("has imports that point inwards", () => {
    for (const file of sources) {
      const allowed = INWARDS[placeOf(file)];
      if (!allowed) continue;
      for (const { from } of importsOf(file).filter((one) => one.from.startsWith("."))) {
        const target = normalize(`${dirname(file)}/${from}`);
        const port = PORTS.includes(target);
        assert.ok(port || allowed.includes(placeOf(target)), `${file} imports ${target}`);
        if (placeOf(target) === "store" && placeOf(file) !== "store")
          assert.ok(port, `${file} sees more than the port`);
      }
    }
  });

  it("keeps the domain and the dialects pure: no platform, no clock, no chance", () => {
    for (const file of sources.filter((one) => ["domain", "dialects"].includes(placeOf(one)))) {
      for (const { from } of importsOf(file)) assert.ok(from.startsWith("."), `${file} imports ${from}`);
      const ambient = /Date\.now\(|new Date\(\)|Temporal\.Now|Math\.random\(|randomUUID|randomBytes|process\.env/;
      assert.doesNotMatch(textOf(file), ambient, file);
    }
  });

  it("keeps the client to what browsers have too: no platform, no dependency", () => {
    for (const file of sources.filter((one) => placeOf(one) === "client")) {
      for (const { from } of importsOf(file)) assert.ok(from.startsWith("./"), `${file} imports ${from}`);
      assert.doesNotMatch(textOf(file), /\b(process|Buffer|require)\b[.(]/, file);
    }
  });

  it("knows versions in the dialects alone", () => {
    // The client speaks the one version that its types are made of.
    for (const file of sources.filter((one) => !["dialects", "client"].includes(placeOf(one))))
      assert.doesNotMatch(codeOf(file), VERSION, file);
    for (const file of sources.filter((one) => ["domain", "registry", "store", "files"].includes(placeOf(one))))
      assert.doesNotMatch(textOf(file), /\/api\//, file);
    for (const text of ['"2.3"', "`/api/2.5/tenders`", "'0.1'"]) assert.match(text, VERSION);
  });

  it("knows SQL and databases in the store alone", () => {
    for (const file of sources.filter((one) => placeOf(one) !== "store")) {
      for (const pattern of SQL) assert.doesNotMatch(codeOf(file), pattern, file);
      for (const { from } of importsOf(file)) assert.doesNotMatch(from, /^(pg|node:sqlite)$/, file);
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

  it("has rooms of a size to be read: no file over 350 lines, no vague names", () => {
    // What a script writes nobody has to read from top to bottom.
    for (const file of sources.filter((one) => !textOf(one).startsWith("// Made by scripts/"))) {
      assert.ok(textOf(file).split("\n").length <= 350, `${file} is too long: perhaps it is two things`);
      assert.doesNotMatch(file, /(^|\/)(utils?|helpers?|common|misc|manager|service)s?(\.ts|\/)/i);
    }
  });
});
