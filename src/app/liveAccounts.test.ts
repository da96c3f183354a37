import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { promisify } from "node:util";
import { hashOf } from "../base/secrets.ts";

const folder = mkdtempSync(join(tmpdir(), "tenderhall-live-"));
after(() => rmSync(folder, { recursive: true }));

const entry = (name: string) => ({ name, group: "brokers", levels: "1234", keyHash: hashOf(`key of ${name}`) });
const write = (file: string, ...names: readonly string[]) =>
  writeFileSync(join(folder, file), JSON.stringify(names.map(entry)));

/** In a process that has used up its files when the accounts change: what it is told then, and once there are some again. */
const OUT_OF_FILES = `
  import { closeSync, openSync, renameSync } from "node:fs";
  import { setTimeout as pause } from "node:timers/promises";
  import { openLiveAccounts } from "./src/app/liveAccounts.ts";
  import { loadAccountsFile } from "./src/accounts/accountsFile.ts";
  const [file, fresh] = process.argv.slice(1);
  const errors = [];
  const log = { info: () => {}, error: (_what, error) => errors.push(error.message), flush: () => {} };
  const own = loadAccountsFile(file, true, [], false);
  const { config } = openLiveAccounts({ accountsFile: file, sandbox: true, ...own }, log, undefined);
  const names = () => [...config.accounts.values()].map(({ name }) => name);
  await pause(1200);
  const told = [];
  const held = [];
  try { for (;;) held.push(openSync("/dev/null", "r")); } catch {}
  renameSync(fresh, file);
  await pause(2500);
  told.push(names());
  for (const one of held) closeSync(one);
  await pause(1500);
  told.push(names());
  console.log(JSON.stringify({ told, errors }));
`;

describe("accounts that are read while it serves", () => {
  it("are read again after a read that failed for a moment: who was revoked is nobody soon after", async () => {
    write("accounts.json", "one", "two");
    write("fresh.json", "two");
    const { stdout } = await promisify(execFile)("sh", [
      ...["-c", 'ulimit -n 60; exec "$@"', "sh", process.execPath, "--disable-warning=ExperimentalWarning"],
      ...["--input-type=module-typescript", "-e", OUT_OF_FILES],
      ...[join(folder, "accounts.json"), join(folder, "fresh.json")],
    ]);
    const { told, errors } = JSON.parse(stdout);
    assert.deepEqual(told, [["one", "two"], ["two"]]);
    assert.equal(errors.length, 1);
    assert.match(errors[0], /EMFILE/);
  });
});
