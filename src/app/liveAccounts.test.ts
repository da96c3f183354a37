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

/** Changes the accounts while the process has no file descriptors left; reports the accounts then, and after they are free again. */
const OUT_OF_FILES = `
  import { closeSync, openSync, renameSync } from "node:fs";
  import { openLiveAccounts } from "./src/app/liveAccounts.ts";
  import { loadAccountsFile } from "./src/accounts/accountsFile.ts";
  const [file, fresh] = process.argv.slice(1);
  // The accounts are polled by a timer that does not keep the process alive.
  const keepAlive = setInterval(() => {}, 1000);
  const errors = [];
  const failed = Promise.withResolvers();
  const onError = (_what, error) => {
    errors.push(error.message);
    failed.resolve();
  };
  const log = { info: () => {}, error: onError, flush: () => {} };
  const own = loadAccountsFile(file, true, [], false);
  const { config, onChange } = openLiveAccounts({ accountsFile: file, sandbox: true, ...own }, log, undefined);
  const names = () => [...config.accounts.values()].map(({ name }) => name);
  const nextChange = () => new Promise((resolve) => onChange(resolve));
  await nextChange();
  const observed = [];
  const descriptors = [];
  try { for (;;) descriptors.push(openSync("/dev/null", "r")); } catch {}
  renameSync(fresh, file);
  await failed.promise;
  observed.push(names());
  for (const descriptor of descriptors) closeSync(descriptor);
  await nextChange();
  observed.push(names());
  clearInterval(keepAlive);
  console.log(JSON.stringify({ observed, errors }));
`;

describe("live accounts", () => {
  it("are read again after a temporary failure, so that a revoked account is gone soon after", async () => {
    write("accounts.json", "one", "two");
    write("fresh.json", "two");
    const { stdout } = await promisify(execFile)("sh", [
      ...["-c", 'ulimit -n 60; exec "$@"', "sh", process.execPath, "--disable-warning=ExperimentalWarning"],
      ...["--input-type=module-typescript", "-e", OUT_OF_FILES],
      ...[join(folder, "accounts.json"), join(folder, "fresh.json")],
    ]);
    const { observed, errors } = JSON.parse(stdout);
    assert.deepEqual(observed, [["one", "two"], ["two"]]);
    assert.equal(errors.length, 1);
    assert.match(errors[0], /EMFILE/);
  });
});
