import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { after, before, describe, it } from "node:test";
import { openForImport } from "../../src/app/offline.ts";
import { importLedger } from "../../src/backup/ledgerImport.ts";
import { runCli } from "../../src/cli/runCli.ts";
import { type Config, configOf, type Environment } from "../../src/config/config.ts";
import type { Store } from "../../src/store/store.ts";
import { fullTender, publish } from "../support/examples.ts";
import {
  type EmptyRegistry,
  environmentOf,
  expectFailure,
  expectSuccess,
  exportLedger,
  openEmptyRegistry,
  openSourceWorld,
  populate,
  runInProcess,
} from "../support/populatedRegistry.ts";
import type { World } from "../support/world.ts";

/** The ledger as JSON lines, exported from one engine and imported into another. */

const folder = mkdtempSync(join(tmpdir(), "tenderhall-export-"));
const file = join(folder, "all.jsonl");
let world: World;
before(async () => {
  world = await openSourceWorld();
  await populate(world);
  await expectSuccess(runInProcess(source(), "export", "--to", file));
});
after(async () => {
  await world.stop();
  rmSync(folder, { recursive: true, force: true });
});

const rowsIn = (path: string) => readFileSync(path, "utf8").split("\n").slice(1, -2);
const source = (): Environment => environmentOf(world);

const testImport = (title: string, story: (place: EmptyRegistry) => Promise<void>) =>
  it(title, async () => {
    const place = await openEmptyRegistry();
    await story(place).finally(place.drop);
  });

describe("an export", () => {
  it("is JSON lines: a header, each row of the ledger, and a count", () => {
    const lines = readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const [header, ...rows] = lines.slice(0, -1);
    assert.deepEqual(header, { tenderhall: 1, holds: "ledger", after: 0, upTo: rows.length, follows: null });
    assert.deepEqual(Object.keys(rows[0]), ["sequence", "at", "tender", "actor", "act", "patch"]);
    assert.deepEqual(
      rows.map(({ sequence }) => sequence),
      rows.map((_, i) => i + 1),
    );
    assert.equal(rows[0].patch[0].path, "");
    assert.equal(lines.at(-1).lines, rows.length);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.ok(!existsSync(`${file}.part`));
  });

  testImport("creates the same registry on the other engine", async ({ environment }) => {
    assert.match(await expectSuccess(runInProcess(environment, "import", file)), /^\d+ rows imported/);
    assert.deepEqual(await exportLedger(environment), rowsIn(file));
    await expectSuccess(runInProcess(environment, "verify", "--no-files"));
  });

  testImport("can be imported from standard input", async ({ environment }) => {
    const terminal = { in: new PassThrough(), out: new PassThrough(), err: { write: () => {} } };
    terminal.in.end(readFileSync(file));
    await expectSuccess(runCli(["import", "-"], environment, terminal));
    assert.deepEqual(await exportLedger(environment), rowsIn(file));
  });

  testImport("can start after a given row, and is imported only into a registry that ends there", async (place) => {
    const { environment } = place;
    const upTo = rowsIn(file).length;
    await publish(world.api("2.5"), fullTender(world.clock.now));
    const later = join(folder, "later.jsonl");
    await expectSuccess(runInProcess(source(), "export", "--to", later, "--after", String(upTo)));
    await expectFailure(
      runInProcess(environment, "import", later),
      /the registry ends at row 0, but .* begins after row \d+/,
    );
    await expectSuccess(runInProcess(environment, "import", file));
    assert.match(await expectSuccess(runInProcess(environment, "import", later)), /^1 row imported/);
    assert.deepEqual(await exportLedger(environment), await exportLedger(source()));
    await expectFailure(runInProcess(source(), "export", "--after", "100000"), /none after row 100000/);
  });

  testImport("is imported only once", async ({ environment }) => {
    await expectSuccess(runInProcess(environment, "import", file));
    await expectFailure(runInProcess(environment, "import", file), /the registry already has all rows of/);
  });

  testImport("is refused by a registry with another history", async (place) => {
    const other = await openSourceWorld();
    try {
      await publish(other.api("2.5"), fullTender(other.clock.now));
      const theirs = join(folder, "theirs.jsonl");
      await expectSuccess(runInProcess(environmentOf(other), "export", "--to", theirs));
      await expectSuccess(runInProcess(place.environment, "import", theirs));
      await expectFailure(runInProcess(place.environment, "import", file), /have different histories/);
      assert.equal((await exportLedger(place.environment)).length, 1);
    } finally {
      await other.stop();
    }
  });

  testImport("contains the secrets only with --secrets", async ({ environment }) => {
    assert.ok(!readFileSync(file, "utf8").includes("PRIVATE KEY"));
    const withSecrets = join(folder, "secrets.jsonl");
    await expectSuccess(runInProcess(source(), "export", "--to", withSecrets, "--secrets"));
    await expectSuccess(runInProcess(environment, "import", withSecrets));
    const opened = await openForImport(configOf(environment) as Config, "ledger");
    const secrets = await opened.store.secrets().finally(opened.close);
    const stored = await world.database.query("select name, secret from secrets order by name");
    assert.ok(stored.length > 0);
    assert.deepEqual(
      [...secrets],
      stored.map(({ name, secret }) => [name, secret]),
    );
  });
});

/** Ways to damage the file. */
const ALTERED: { readonly [how: string]: (text: string) => string } = {
  "a changed byte in the middle": (text) => text.slice(0, 5000) + (text[5000] === "x" ? "y" : "x") + text.slice(5001),
  "a changed byte in the first line": (text) => text.replace('"after":0', '"after":1'),
  "a changed byte in the last line": (text) => `${text.slice(0, -4)}x${text.slice(-3)}`,
  "a missing line": (text) => withoutLine(text, 7),
  "a duplicate line": (text) => text.replace(/\n.*\n/, "$&$&").replace("\n\n", "\n"),
  "two lines in the wrong order": (text) => {
    const lines = text.split("\n");
    [lines[3], lines[4]] = [lines[4]!, lines[3]!];
    return lines.join("\n");
  },
  "a truncated line": (text) => text.slice(0, text.length / 2),
  "truncation between lines": (text) => `${text.split("\n").slice(0, 9).join("\n")}\n`,
  "a missing last line": (text) => `${text.split("\n").slice(0, -2).join("\n")}\n`,
  "an additional newline at the end": (text) => `${text}\n`,
  "an empty file": () => "",
  "another format": () => '{"tender": 1}\n',
  "a newer version": (text) => text.replace('"tenderhall":1', '"tenderhall":2'),
};

const withoutLine = (text: string, number: number): string =>
  text
    .split("\n")
    .filter((_, i) => i !== number)
    .join("\n");

describe("an altered file is refused and nothing is imported", () => {
  for (const [how, alter] of Object.entries(ALTERED))
    testImport(how, async ({ environment }) => {
      const altered = join(folder, "altered.jsonl");
      const text = readFileSync(file, "utf8");
      writeFileSync(altered, alter(text));
      assert.notEqual(readFileSync(altered, "utf8"), text);
      await expectFailure(runInProcess(environment, "import", altered), /altered\.jsonl (is|was) /);
      await expectFailure(runInProcess(environment, "verify"), /there is no registry/);
    });
});

describe("an interrupted import", () => {
  testImport("continues where it stopped", async ({ environment }) => {
    const { store, close } = await openForImport(configOf(environment) as Config, "ledger");
    const cutOff: Store = {
      ...store,
      append: async (past) => {
        await store.append(past.slice(0, 10));
        throw new Error("cut off");
      },
    };
    const quiet = () => ({ step: () => {}, end: () => {} });
    await assert.rejects(importLedger(cutOff, file, quiet), /cut off/).finally(close);
    assert.equal((await exportLedger(environment)).length, 10);
    await expectSuccess(runInProcess(environment, "import", file));
    assert.deepEqual(await exportLedger(environment), rowsIn(file));
    await expectSuccess(runInProcess(environment, "verify", "--no-files"));
  });
});
