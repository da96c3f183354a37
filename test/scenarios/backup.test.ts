import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openBackupFiles, openBackupFolder, openForImport, openForReading } from "../../src/app/offline.ts";
import { createBackup } from "../../src/backup/backup.ts";
import { restoreBackup } from "../../src/backup/restore.ts";
import type { BeginProgressStage } from "../../src/base/progress.ts";
import { type Config, configOf, type Environment } from "../../src/config/config.ts";
import { openDocumentServiceClient } from "../support/documentService.ts";
import { ENGINE, openSchema } from "../support/engines.ts";
import { fullTender, publish } from "../support/examples.ts";
import {
  type EmptyRegistry,
  environmentOf,
  expectFailure,
  expectSuccess,
  exportLedger,
  openEmptyRegistry,
  openSourceWorld,
  openWorldAt,
  type PopulatedRegistry,
  PUBLIC_URL_SETTINGS,
  populate,
  runInProcess,
  snapshotOf,
} from "../support/populatedRegistry.ts";
import { openS3Prefix, S3_MISSING } from "../support/s3.ts";
import { expectStatus, openWorld, type World } from "../support/world.ts";

/** Backups of a running registry, restored on either engine. */

const folder = mkdtempSync(join(tmpdir(), "tenderhall-backup-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const newFolder = () => join(mkdtempSync(join(folder, "to-")), "backup");

let world: World;
let populated: PopulatedRegistry;
before(async () => {
  world = await openSourceWorld();
  populated = await populate(world);
});
after(() => world.stop());

const source = (): Environment => environmentOf(world);

const testRestore = (
  title: string,
  story: (to: string, place: EmptyRegistry) => Promise<void>,
  which?: "same" | "other",
) =>
  it(title, async () => {
    const place = await openEmptyRegistry(which);
    await story(newFolder(), place).finally(place.drop);
  });

async function serveRestored(place: EmptyRegistry, story: (there: World) => Promise<void>): Promise<void> {
  const there = await openWorldAt(place, world);
  await story(there).finally(there.stop);
}

describe("a backup", () => {
  testRestore("is restored on the other engine with every response byte for byte the same", async (to, place) => {
    await expectSuccess(runInProcess(source(), "backup", to));
    assert.match(
      await expectSuccess(runInProcess(place.environment, "restore", to)),
      /^The registry is restored up to row \d+/,
    );
    const expected = await snapshotOf(world, populated);
    await serveRestored(place, async (there) => {
      const seen = await snapshotOf(there, populated);
      assert.deepEqual([...seen.keys()].sort(), [...expected.keys()].sort());
      for (const [url, response] of expected) assert.equal(seen.get(url), response, url);
    });
    assert.deepEqual(await exportLedger(place.environment), await exportLedger(source()));
    await expectSuccess(runInProcess(place.environment, "verify"));
  });

  testRestore("is the same after it is restored on the other engine and back", async (to, place) => {
    await expectSuccess(runInProcess(source(), "backup", to));
    await expectSuccess(runInProcess(place.environment, "restore", to));
    const back = await openEmptyRegistry("same");
    try {
      const second = newFolder();
      await expectSuccess(runInProcess(place.environment, "backup", second));
      await expectSuccess(runInProcess(back.environment, "restore", second));
      assert.deepEqual(await exportLedger(back.environment), await exportLedger(source()));
      await expectSuccess(runInProcess(back.environment, "verify"));
      await serveRestored(back, async (there) =>
        assert.deepEqual(await snapshotOf(there, populated), await snapshotOf(world, populated)),
      );
    } finally {
      await back.drop();
    }
  });

  testRestore("continues the numbers of the day, and accepts earlier signatures", async (to, place) => {
    const client = openDocumentServiceClient(world);
    const document = await client.uploadFile("підписано");
    const tender = await publish(world.api("2.5"), fullTender(world.clock.now));
    const path = `${tender.path}/documents`;
    const registered = await world.api("2.5").post(path, document, { token: tender.token });
    const { id } = expectStatus(201, registered).body.data;
    await expectSuccess(runInProcess(source(), "backup", to));
    await expectSuccess(runInProcess(place.environment, "restore", to));
    const numberOf = async (where: World) =>
      (await publish(where.api("2.5"), fullTender(world.clock.now))).response.body.data.tenderID;
    await serveRestored(place, async (there) => {
      assert.equal(await numberOf(there), await numberOf(world));
      const again = { method: "PUT", body: { data: { ...document, title: "b" } }, token: tender.token };
      expectStatus(200, await there.api("2.5").request("PUT", `${path}/${id}`, again));
    });
  });

  testRestore("contains the test clocks of a sandbox, which still move their tenders", async (to, place) => {
    const headers = { "X-Test-Clock": "" };
    const now = new Date(world.clock.now / 1000).toISOString();
    const made = await world.api("2.5").post(`${world.url}/sandbox/clocks`, { now });
    headers["X-Test-Clock"] = expectStatus(201, made).body.data.id;
    const sent = await world.api("2.5").post("/tenders", fullTender(world.clock.now), { headers });
    const { id } = expectStatus(201, sent).body.data;
    await expectSuccess(runInProcess(source(), "backup", to));
    await expectSuccess(runInProcess(place.environment, "restore", to));
    await serveRestored(place, async (there) => {
      const moved = await there
        .api("2.5")
        .post(`${there.url}/sandbox/clocks/${headers["X-Test-Clock"]}/advance`, { next: true });
      const [tender] = expectStatus(200, moved).body.data.tenders;
      assert.deepEqual([tender.id, tender.status], [id, "active.tendering"]);
    });
  });

  const hasBoth = ENGINE === "sqlite" && process.env.TEST_DATABASE_URL !== undefined;
  const skip = hasBoth ? false : "needs a server on SQLite beside a PostgreSQL";
  it("is not restored into the documents folder of a server that runs on SQLite", { skip }, async () => {
    const to = newFolder();
    await expectSuccess(runInProcess(source(), "backup", to));
    const { environment, drop } = await openSchema();
    const restored = runInProcess({ ...environment, DATA_DIR: world.dataDir }, "restore", to);
    await expectFailure(restored, /another server keeps its documents/).finally(drop);
  });

  it("is consistent up to its last row while others write", async () => {
    const busy = await openSourceWorld();
    const place = await openEmptyRegistry();
    await backUpDuringWrites(busy, place, newFolder()).finally(async () => {
      await busy.stop();
      await place.drop();
    });
  });

  testRestore("adds only new rows and files when it runs again", async (to, place) => {
    await expectSuccess(runInProcess(source(), "backup", to));
    const first = filesBelow(to);
    assert.match(await expectSuccess(runInProcess(source(), "backup", to)), /: 0 new rows and 0 new files\.\n$/);
    const { path, token } = await publish(world.api("2.5"), fullTender(world.clock.now));
    const file = { name: "a.txt", content: "нове" };
    expectStatus(201, await world.api("2.5").upload(`${path}/documents`, file, { token }));
    assert.match(await expectSuccess(runInProcess(source(), "backup", to)), /: 2 new rows and 1 new file\.\n$/);
    const second = filesBelow(to);
    const untouched = [...first].filter(([name]) => !/^manifest\.json$|^secrets-|\.lock/.test(name));
    for (const [name, changedAt] of untouched) assert.equal(second.get(name), changedAt, name);
    assert.equal(readdirSync(to).filter((name) => name.endsWith(".jsonl")).length, 4);
    await expectSuccess(runInProcess(place.environment, "restore", to));
    assert.deepEqual(await exportLedger(place.environment), await exportLedger(source()));
    await expectSuccess(runInProcess(place.environment, "verify"));
  });

  testRestore("updates a restored registry that was not written to", async (to, place) => {
    await expectSuccess(runInProcess(source(), "backup", to));
    await expectSuccess(runInProcess(place.environment, "restore", to));
    await publish(world.api("2.5"), fullTender(world.clock.now));
    await expectSuccess(runInProcess(source(), "backup", to));
    assert.match(await expectSuccess(runInProcess(place.environment, "restore", to)), /: 1 row and 0 files\./);
    assert.deepEqual(await exportLedger(place.environment), await exportLedger(source()));
  });

  testRestore("is readable only by its owner", async (to) => {
    const mask = process.umask(0o022);
    await expectSuccess(runInProcess(source(), "backup", to)).finally(() => process.umask(mask));
    assert.equal(statSync(to).mode & 0o777, 0o700);
    for (const name of readdirSync(to).filter((fileName) => fileName.includes(".json")))
      assert.equal(statSync(join(to, name)).mode & 0o777, 0o600, name);
  });
});

describe("a backup of documents in S3", { skip: S3_MISSING }, () => {
  it("is restored to disk and back to S3, even after interruptions", async () => {
    const [first, second] = [await openS3Prefix(), await openS3Prefix()];
    const inS3 = await openWorld({ ...PUBLIC_URL_SETTINGS, ...first.environment });
    const secrets = await populate(inS3);
    const from = { ...environmentOf(inS3), ...first.environment };
    const expected = await snapshotOf(inS3, secrets);
    const [onDisk, again] = [await openEmptyRegistry(), await openEmptyRegistry("same")];
    const back = { environment: { ...again.environment, ...second.environment }, drop: again.drop };
    const [to, onwards] = [newFolder(), newFolder()];
    await expectSuccess(runInProcess(from, "backup", to));
    await expectSuccess(runInProcess(from, "verify"));
    await expectSuccess(runInProcess(onDisk.environment, "restore", to));
    await expectSuccess(runInProcess(onDisk.environment, "backup", onwards));
    let cuts = 0;
    while (!(await cutRestore(onwards, back, cuts))) cuts += 1;
    for (const place of [onDisk, back]) {
      await expectSuccess(runInProcess(place.environment, "verify"));
      const there = await openWorldAt(place, inS3);
      assert.deepEqual(await snapshotOf(there, secrets).finally(there.stop), expected);
      await place.drop();
    }
    await inS3.stop();
    for (const corner of [first, second]) await corner.clean();
  });
});

/** Two clients publish and upload without a break while the backup is made. */
async function backUpDuringWrites(busy: World, place: EmptyRegistry, to: string): Promise<void> {
  const secrets = await populate(busy);
  const from = environmentOf(busy);
  const expected = await snapshotOf(busy, secrets);
  let writing = true;
  const writers = Array.from({ length: 2 }, async () => {
    while (writing) {
      const { path, token } = await publish(busy.api("2.5"), fullTender(busy.clock.now));
      const file = { name: "a.txt", content: path };
      expectStatus(201, await busy.api("2.5").upload(`${path}/documents`, file, { token }));
    }
  });
  for (let i = 0; i < 3; i++) await expectSuccess(runInProcess(from, "backup", to));
  await expectSuccess(runInProcess(from, "verify"));
  writing = false;
  await Promise.all(writers);
  await expectSuccess(runInProcess(from, "verify", "--backup", to));
  await expectSuccess(runInProcess(place.environment, "restore", to));
  const [all, theirs] = [await exportLedger(from), await exportLedger(place.environment)];
  assert.ok(theirs.length > 60 && theirs.length < all.length, `${theirs.length} of ${all.length}`);
  assert.deepEqual(theirs, all.slice(0, theirs.length));
  await expectSuccess(runInProcess(place.environment, "verify"));
  const there = await openWorldAt(place, busy);
  const seen = await snapshotOf(there, secrets).finally(there.stop);
  for (const [url, response] of expected) if (!url.includes("/tenders?")) assert.equal(seen.get(url), response, url);
}

const filesBelow = (to: string): Map<string, number> =>
  new Map(
    readdirSync(to, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(to.length + 1), statSync(path).mtimeMs]),
  );

/** Makes the work fail after this many steps. */
class Cut extends Error {}
function cutAfter(steps: number): BeginProgressStage {
  let left = steps;
  return () => ({
    step: () => {
      left -= 1;
      if (left < 0) throw new Cut();
    },
    end: () => {},
  });
}

const configIn = (environment: Environment) => configOf(environment) as Config;

async function cutBackup(to: string, steps: number): Promise<boolean> {
  const { store, files, close } = await openForReading(configIn(source()));
  const { files: copies, close: leave } = await openBackupFolder(to, configIn(source()));
  const ended = createBackup({ store, files, folder: to, copies, begin: cutAfter(steps) }).then(() => true);
  return ended
    .catch((error) => {
      assert.ok(error instanceof Cut, error);
      return false;
    })
    .finally(close)
    .finally(leave);
}

async function cutRestore(from: string, { environment }: EmptyRegistry, steps: number): Promise<boolean> {
  const { store, files, close } = await openForImport(configIn(environment), "and documents");
  const copies = await openBackupFiles(from);
  const ended = restoreBackup({ store, files, folder: from, copies, begin: cutAfter(steps) }).then(() => true);
  return ended
    .catch((error) => {
      assert.ok(error instanceof Cut, error);
      return false;
    })
    .finally(close);
}

describe("an interrupted operation", () => {
  testRestore("continues where it stopped, for a backup and a restore that fail at every step", async (to, place) => {
    let tries = 0;
    while (!(await cutBackup(to, tries))) {
      await expectFailure(runInProcess(place.environment, "restore", to), /has no complete backup/);
      tries += 1;
    }
    assert.ok(tries > 5, `${tries} tries`);
    await expectSuccess(runInProcess(source(), "verify", "--backup", to));
    let restores = 0;
    while (!(await cutRestore(to, place, restores))) restores += 1;
    assert.ok(restores > 5, `${restores} tries`);
    assert.deepEqual(await exportLedger(place.environment), await exportLedger(source()));
    await expectSuccess(runInProcess(place.environment, "verify"));
  });

  testRestore("leaves the previous backup intact", async (to, place) => {
    await expectSuccess(runInProcess(source(), "backup", to));
    const rows = (await exportLedger(source())).length;
    await publish(world.api("2.5"), fullTender(world.clock.now));
    assert.equal(await cutBackup(to, 0), false);
    await expectSuccess(runInProcess(source(), "verify", "--backup", to));
    await expectSuccess(runInProcess(place.environment, "restore", to));
    assert.equal((await exportLedger(place.environment)).length, rows);
  });
});

describe("an impossible operation is refused", () => {
  testRestore("a restore into a registry that is not empty", async (to, place) => {
    await expectSuccess(runInProcess(source(), "backup", to));
    await serveRestored(place, async (there) => void (await publish(there.api("2.5"), fullTender(world.clock.now))));
    await expectFailure(runInProcess(place.environment, "restore", to), /the registry is not empty: it has 1 rows/);
    if (ENGINE === "sqlite")
      await expectFailure(runInProcess(source(), "restore", to), /another server is running on .*: stop it first/);
  });

  testRestore("a backup to a folder with another registry's backup, a registry or other files", async (to, place) => {
    await expectSuccess(runInProcess(source(), "backup", to));
    await serveRestored(place, async (there) => void (await publish(there.api("2.5"), fullTender(world.clock.now))));
    await expectFailure(runInProcess(place.environment, "backup", to), /has the backup of another registry/);
    const { DATA_DIR = "" } = source();
    await expectFailure(runInProcess(source(), "backup", DATA_DIR), /is the folder of a registry/);
    await expectFailure(runInProcess(source(), "backup", tmpdir()), /is neither empty nor a backup: it contains/);
  });

  testRestore("two backups to one folder at once", async (to) => {
    const { close } = await openBackupFolder(to, configIn(source()));
    await expectFailure(runInProcess(source(), "backup", to), /another backup to .* is running/);
    close();
    await expectSuccess(runInProcess(source(), "backup", to));
  });

  testRestore("any command on a registry that does not exist", async (to, { environment }) => {
    for (const args of [["backup", to], ["verify"], ["export"]])
      await expectFailure(runInProcess(environment, ...args), /there is no registry/);
    await expectFailure(runInProcess(environment, "restore", join(to, "nowhere")), /has no complete backup/);
    assert.deepEqual(readdirSync(environment.DATA_DIR!), []);
  });

  it("exits with 2 for invalid arguments", async () => {
    const wrong = [
      ["backup"],
      ["backup", "a", "b"],
      ["restore"],
      ["verify", "x"],
      ["export", "x"],
      ["import"],
      ["export", "--after", "x"],
    ];
    for (const args of wrong) assert.equal((await runInProcess(source(), ...args)).code, 2, args.join(" "));
  });
});
