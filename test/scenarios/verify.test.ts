import assert from "node:assert/strict";
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { searchDocumentOf } from "../../src/indexing/searchDocument.ts";
import { TENDER_DOCUMENT } from "../../src/store/rowMapping.ts";
import { storedFiles } from "../support/documentService.ts";
import { ENGINE } from "../support/engines.ts";
import {
  environmentOf,
  expectSuccess,
  openEmptyRegistry,
  openSourceWorld,
  type PopulatedRegistry,
  populate,
  runInProcess,
} from "../support/populatedRegistry.ts";
import type { World } from "../support/world.ts";

/** Verification finds damage to a registry or a backup before it is needed. */

const folder = mkdtempSync(join(tmpdir(), "tenderhall-verify-"));
let world: World;
let populated: PopulatedRegistry;
before(async () => {
  world = await openSourceWorld();
  populated = await populate(world);
});
after(async () => {
  await world.stop();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (sql: string, ...values: (string | number)[]) => world.database.query(sql, ...values);

const runVerify = (...args: readonly string[]) => runInProcess(environmentOf(world), "verify", ...args);

/** Asserts that verification reports exactly these lines, and nothing once the damage is undone. */
async function expectProblems(
  lines: readonly RegExp[],
  undo: () => Promise<unknown> | unknown,
  ...args: readonly string[]
) {
  const { code, out, err } = await runVerify(...args);
  await undo();
  assert.equal(code, 1, out);
  const problems = err.trimEnd().split("\n");
  for (const line of lines)
    assert.ok(
      problems.some((problem) => line.test(problem)),
      `${line} is not in\n${err}`,
    );
  for (const problem of problems)
    assert.ok(
      lines.some((line) => line.test(problem)),
      `unexpected: ${problem}`,
    );
  assert.match(out, new RegExp(`: ${problems.length} problems?\\.\\n$`));
}

async function queryRow(sql: string): Promise<{ readonly [name: string]: string | number }> {
  const [row] = await ask(sql);
  return row as { [name: string]: string | number };
}

/** Asserts that verification finds a changed field of a row, and restores it. */
async function assertFinds(
  table: string,
  column: string,
  key: readonly [string, string | number],
  value: string | number,
  lines: readonly RegExp[],
) {
  const [name, id] = key;
  const { stored } = await queryRow(`select ${column} as stored from ${table} where ${name} = '${id}'`);
  await ask(`update ${table} set ${column} = $1 where ${name} = $2`, value, id);
  await expectProblems(
    lines,
    () => ask(`update ${table} set ${column} = $1 where ${name} = $2`, stored!, id),
    "--no-files",
  );
}

/** Replaces what the search index has of the tender. */
async function putTokens(tokens: string): Promise<void> {
  const { row } = await queryRow(`select public_row as row from search where tender_id = '${secretId()}'`);
  if (ENGINE === "sqlite") await ask("insert or replace into words (rowid, tokens) values ($1, $2)", row!, tokens);
  else
    await ask(
      "update search set tokens = array_to_tsvector(string_to_array($2, ' ')) where public_row = $1",
      row!,
      tokens,
    );
}

const WRONG_INDEX_SIZE = /^the search index has \d+ rows, not \d+$/;
const WRONG_STATISTICS = /^the statistics of .+ are wrong: .+$/;

const secretId = () => populated.secret.path.split("/")[2]!;

describe("a sound registry", () => {
  it("has no problem, and the number of checked objects is printed", async () => {
    const text = await expectSuccess(runVerify());
    assert.match(text, /^Checked \d+ rows of the ledger, 9 tenders and \d+ files: no problems\.\n$/);
    const [, files] = /and (\d+) files/.exec(text)!;
    assert.ok(Number(files) >= 8, text);
    assert.match(await expectSuccess(runVerify("--no-files")), /9 tenders: no problems/);
  });
});

describe("verify finds damage in the database:", () => {
  it("an altered document", () =>
    withDocument(
      (text) => text.replace('"amount":"500000"', '"amount":"1"'),
      [
        /^tender [0-9a-f]{32}: the stored document differs from the ledger: \/value\/amount$/,
        /: amount is stored as 006500000, not 0011$/,
        /: amount in the search index is 006500000, not 0011$/,
        /: the search index does not have exactly its words$/,
        WRONG_STATISTICS,
      ],
    ));

  it("an altered bid, and totals that differ from the bids", async () => {
    const row = ["tender_id", secretId()] as const;
    const { document } = await queryRow(`select document from bids where tender_id = '${secretId()}'`);
    const altered = String(document).replace('"amount":"490000"', '"amount":"100001"');
    await assertFinds("bids", "document", row, altered, [
      /^tender [0-9a-f]{32}: the stored document differs from the ledger: \/bids\/0\/value\/amount$/,
    ]);
    await assertFinds("bids", "owner", row, "other", [/: bid [0-9a-f]{32}: owner is stored as other, not \w+$/]);
    await assertFinds("bids", "bytes", row, 5, [/: bid [0-9a-f]{32}: bytes is stored as 5, not \d+$/]);
    await assertFinds("bid_totals", "count", row, 7, [/: the bids of \w+ are counted as 7 with \d+ bytes, not 1 with/]);
    await assertFinds("bid_totals", "changes", row, 7, [
      /: 7 changes of its bids are counted, but \d are in the ledger$/,
    ]);
  });

  it("a document that is not JSON", () =>
    withDocument(
      (text) => text.slice(1),
      [
        /: the stored document is not JSON$/,
        /^status active.tendering: the count is \d+, not \d+$/,
        WRONG_INDEX_SIZE,
        WRONG_STATISTICS,
      ],
    ));

  it("columns that differ from the document", async () => {
    const row = ["id", secretId()] as const;
    await assertFinds("tenders", "wake_at", row, 5, [/: wakeAt is stored as 5, not \d+$/]);
    await assertFinds("tenders", "status", row, "complete", [/: status is stored as complete, not active.tendering$/]);
    await assertFinds("tenders", "listing", row, "test", [/: listing is stored as test, not real$/]);
    await assertFinds("tenders", "date_modified", row, 5, [/: dateModified is stored as 5, not \d+$/]);
    await assertFinds("tenders", "revision", row, 99, [/: has revision 99, but \d+ rows in the ledger$/]);
  });

  it("search columns that differ from the tender", async () => {
    const { first_row: first } = await queryRow(`select first_row from tenders where id = '${secretId()}'`);
    const row = ["first_row", Number(first)] as const;
    await assertFinds("facets", "tender_id", row, "other", [
      ...[/: \w+ is stored as nothing, not .+$/, /: is not in the search index$/],
      ...[WRONG_INDEX_SIZE, WRONG_STATISTICS],
    ]);
    await assertFinds("facets", "entity", row, "other", [/: entity is stored as other, not .+$/]);
    await assertFinds("facets", "tender_end", row, 5, [/: tenderEnd is stored as 5, not \d+$/]);
    await assertFinds("classifications", "code", row, "other", [/: classifications is stored as other, not .+$/]);
  });

  it("a search index and statistics that differ from the tenders", async () => {
    const row = ["tender_id", secretId()] as const;
    await assertFinds("search", "status", row, "other", [
      /: status in the search index is other, not active.tendering$/,
    ]);
    await assertFinds("search", "buyer", row, "other", [/: buyer in the search index is other, not .+$/]);
    await ask("insert into statistics values ('all', '', '2020-01', '', 'tenders', '7')");
    const withoutSum = () => ask("delete from statistics where month = '2020-01'");
    await expectProblems([/^the statistics of all 2020-01 are wrong: tenders by 7$/], withoutSum, "--no-files");
    const { document } = await queryRow(
      `select ${TENDER_DOCUMENT} as document from tenders where id = '${secretId()}'`,
    );
    const { tokens } = searchDocumentOf({ ...JSON.parse(String(document)), bids: [] });
    for (const wrongTokens of [`${tokens} more`, tokens.replace("s:active", "s:other"), "x"]) {
      await putTokens(wrongTokens);
      const restore = () => putTokens(tokens);
      await expectProblems([/: the search index does not have exactly its words$/], restore, "--no-files");
    }
  });

  it("inconsistent counts, daily numbers and files", async () => {
    await assertFinds("statuses", "number", ["status", "active.tendering"], 7, [
      /^status active.tendering: the count is 7, not \d$/,
    ]);
    const { day } = await queryRow("select day from days order by day desc limit 1");
    await assertFinds("days", "last_number", ["day", String(day)], 77, [
      /^day [-\d]+: the last number is 77, not \d+$/,
    ]);
    const { key, tender_id: tender } = await queryRow("select key, tender_id from files limit 1");
    await ask("delete from files where key = $1", key!);
    const back = () => ask("insert into files (key, tender_id) values ($1, $2)", key!, tender!);
    await expectProblems([/: file [0-9a-f]{32} is in the ledger, but not stored as its file$/], back, "--no-files");
    await ask("insert into files (key, tender_id) values ($1, $2)", "f".repeat(32), tender!);
    const away = () => ask("delete from files where key = $1", "f".repeat(32));
    await expectProblems([/: file f{32} is stored as its file, but not in the ledger$/], away, "--no-files");
  });

  it("of which it prints a hundred problems and the number of the others", async () => {
    await ask(`
      insert into files (key, tender_id)
      select 'x' || a.sequence || '-' || b.sequence, a.tender_id from ledger a, ledger b
      where a.sequence <= 15 and b.sequence <= 15`);
    const { code, out, err } = await runVerify("--no-files");
    await ask("delete from files where key like 'x%'");
    assert.equal(code, 1);
    assert.equal(err.trimEnd().split("\n").length, 101);
    assert.match(err, /\nand 125 more problems\n$/);
    assert.match(out, /: 225 problems\.\n$/);
  });

  it("a missing tender and an extra one", async () => {
    const columns = "id, revision, document, status, listing, date_modified, first_row";
    const stored = await queryRow(`select ${columns} from tenders where status = 'complete'`);
    const { id, revision, document, status, listing, date_modified, first_row } = stored;
    const put = (as: string) =>
      ask(
        `insert into tenders (${columns}) values ($1, $2, $3, $4, $5, $6, $7)`,
        ...[as, revision!, String(document).replaceAll(String(id), as), status!, listing!, date_modified!, first_row!],
      );
    await ask("delete from tenders where id = $1", id!);
    const lines = [
      ...[/: is in the ledger, but not stored$/, /^status complete: the count is 1, not 0$/],
      ...[WRONG_INDEX_SIZE, WRONG_STATISTICS],
    ];
    await expectProblems(lines, () => put(String(id)), "--no-files");
    await put("nowhere");
    const more = [
      /^tender nowhere: is stored, but not in the ledger$/,
      /^tender nowhere: \w+ is stored as nothing, not .+$/,
      /^tender nowhere: is not in the search index$/,
      /^status complete: the count is 1, not 2$/,
    ];
    await expectProblems(more, () => ask("delete from tenders where id = 'nowhere'"), "--no-files");
  });
});

async function withDocument(alter: (text: string) => string, lines: readonly RegExp[]): Promise<void> {
  const { document } = await queryRow(`select ${TENDER_DOCUMENT} as document from tenders where id = '${secretId()}'`);
  assert.notEqual(alter(String(document)), document);
  await assertFinds("tenders", "document", ["id", secretId()], alter(String(document)), lines);
}

describe("verify finds damage in files:", () => {
  const pathOf = (name: string) => join(world.config.dataDir, "files", name);
  const sample = () =>
    storedFiles({ ...world, dataDir: world.config.dataDir }).filter((name) => /\/[0-9a-f]{32}$/.test(name));

  it("a changed byte, a changed size, and a missing file", async () => {
    const damages: readonly [(path: string) => void, RegExp][] = [
      [
        (path) => writeFileSync(path, Buffer.from(readFileSync(path).map((byte, i) => (i === 3 ? byte ^ 1 : byte)))),
        /: it has the SHA-256/,
      ],
      [(path) => truncateSync(path, 1), /: it has 1 bytes, not \d+$/],
      [(path) => appendFileSync(path, "x"), /: it has \d+ bytes, not \d+$/],
      [(path) => rmSync(path), /: it is missing$/],
    ];
    for (const [i, [damage, line]] of damages.entries()) {
      const path = pathOf(sample()[i]!);
      const content = readFileSync(path);
      damage(path);
      const named = new RegExp(`^file ${path.slice(-32)} of tender [0-9a-f]{32}${line.source}`);
      await expectProblems([named], () => writeFileSync(path, content));
    }
    await expectSuccess(runVerify());
  });

  it("a backup continues without a missing file, reports it, and adds it once it is restored", async () => {
    const to = join(folder, "lacking");
    const path = pathOf(sample()[0]!);
    const content = readFileSync(path);
    rmSync(path);
    const first = await runInProcess(environmentOf(world), "backup", to);
    assert.equal(first.code, 1);
    assert.match(first.err, /^the backup lacks file [0-9a-f]{32} of tender [0-9a-f]{32}: it is missing\n$/);
    writeFileSync(path, content);
    assert.match(await expectSuccess(runInProcess(environmentOf(world), "backup", to)), /0 new rows and 1 new file/);
    await expectSuccess(runVerify("--backup", to));
  });
});

describe("verify finds damage in a backup:", () => {
  it("in its manifest, its ledger, its lists, its secrets and its files", async () => {
    const sound = join(folder, "sound");
    await expectSuccess(runInProcess(environmentOf(world), "backup", sound));
    await expectSuccess(runVerify("--backup", sound));
    const names = readdirSync(sound);
    const ledger = names.find((name) => name.startsWith("ledger-"))!;
    const secrets = names.find((name) => name.startsWith("secrets-"))!;
    const list = names.find((name) => name.startsWith("files-"))!;
    const [file] = readdirSync(join(sound, "files"), { recursive: true })
      .map((name) => join("files", String(name)))
      .filter((name) => /\/[0-9a-f]{32}$/.test(name));
    for (const [name, line] of [
      [ledger, /is truncated, altered or damaged/],
      [list, /is truncated, altered or damaged|is not a Tenderhall file/],
      [secrets, /is damaged/],
      [file!, /: it has the SHA-256/],
      ["manifest.json", /is damaged|lists \d+ rows|does not match/],
    ] as const) {
      const damaged = join(folder, "damaged");
      cpSync(sound, damaged, { recursive: true });
      const path = join(damaged, name);
      const content = readFileSync(path);
      content[Math.min(200, content.length - 3)]! ^= 1;
      if (name === "manifest.json") writeFileSync(path, readFileSync(path, "utf8").replace(/"upTo": \d+/, '"upTo": 3'));
      else writeFileSync(path, content);
      const { code, err } = await runVerify("--backup", damaged);
      assert.equal(code, 1, name);
      assert.match(err, line, name);
      const place = await openEmptyRegistry();
      assert.equal((await runInProcess(place.environment, "restore", damaged)).code, 1, name);
      await place.drop();
      rmSync(damaged, { recursive: true });
    }
  });
});

describe("verify finds damage in the ledger:", () => {
  it("a missing row, a row that goes back in time, and a row that is not JSON", async () => {
    await world.halt();
    const drop = (name: string) =>
      ask(ENGINE === "postgres" ? `drop trigger ${name} on ledger` : `drop trigger ${name}`);
    await drop("ledger_keeps_rows");
    if (ENGINE === "sqlite") await drop("ledger_keeps_words");
    const { at } = await queryRow("select at from ledger where sequence = 2");
    await ask("update ledger set at = at - 1000000000000 where sequence = 2");
    await expectProblems(
      [/^ledger: row 2 is not later than row 1$/],
      () => ask("update ledger set at = $1 where sequence = 2", at!),
      "--no-files",
    );
    await ask("delete from ledger where sequence = 3");
    const { code, err } = await runVerify("--no-files");
    assert.equal(code, 1);
    assert.match(err, /^ledger: rows are missing between 2 and 4\ntender [0-9a-f]{32}: /);
    const [columns, values] = ENGINE === "postgres" ? [", is_indexed", ", true"] : ["", ""];
    await ask(`
      insert into ledger (sequence, at, kind, tender_id, act, patch${columns})
      select sequence + 1000, at + 100000000000000, 'tender', tender_id, act, '['${values} from ledger`);
    const broken = await runVerify("--no-files");
    assert.match(broken.err, /: row 1\d\d\d: .*JSON/);
  });
});
