import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { readManifest, readSecrets, writeManifest, writeSecrets } from "../../src/backup/backupFolder.ts";
import { checksummedLines } from "../../src/backup/checksummedFile.ts";
import { fullTender, publish } from "../support/examples.ts";
import {
  type EmptyRegistry,
  environmentOf,
  expectFailure,
  expectSuccess,
  openEmptyRegistry,
  openSourceWorld,
  openWorldAt,
  runInProcess,
} from "../support/populatedRegistry.ts";
import { openWebhookApi } from "../support/webhookReceiver.ts";
import { expectStatus, type World } from "../support/world.ts";

/** Backups and exports of releases that had all key-value entries in one table, under other names. */

const folder = mkdtempSync(join(tmpdir(), "tenderhall-older-"));
let world: World;
before(async () => {
  world = await openSourceWorld();
  for (const key of ["broker", "broker1"]) {
    const made = await world.api("2.5").post(`${world.url}/sandbox/clocks`, {}, { key });
    const headers = { "X-Test-Clock": expectStatus(201, made).body.data.id };
    expectStatus(201, await world.api("2.5").post("/tenders", fullTender(world.clock.now), { key, headers }));
  }
  const hooks = openWebhookApi(world);
  for (const mode of ["test", "_all_"])
    expectStatus(201, await hooks.create({ url: "http://127.0.0.1:9/", mode, opt_fields: "title" }));
  await publish(world.api("2.5"), fullTender(world.clock.now));
});
after(async () => {
  await world.stop();
  rmSync(folder, { recursive: true, force: true });
});

const OLDER_NAMES: { readonly [kind: string]: string } = {
  "test clock": "clock",
  webhook: "webhook",
  "owned webhooks": "webhooks of",
};

/** The data outside the ledger with the names that older releases gave it, and their lists of the clocks of each account. */
function withOlderNames(data: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] {
  return data.flatMap(([name, text]): readonly (readonly [string, string])[] => {
    if (!name.startsWith("entry ")) return [[name, text]];
    const [kind, id] = JSON.parse(name.slice("entry ".length));
    const older = OLDER_NAMES[kind];
    assert.ok(older, `${kind} was not in older backups`);
    const renamed = [`note ${JSON.stringify([older, id])}`, text] as const;
    const owned = `note ${JSON.stringify(["clock of", `${JSON.stringify(JSON.parse(text).owner)} ${id}`])}`;
    return kind === "test clock" ? [renamed, [owned, ""]] : [renamed];
  });
}

/** The clocks and webhooks of accounts, as they see them. Offsets are left out, because the dispatcher moves them on. */
async function shownBy({ api, url }: World): Promise<readonly unknown[]> {
  const paths = ["/sandbox/clocks", "/webhooks"];
  const requests = ["broker", "broker1"].flatMap((key) => paths.map((path) => ({ key, path })));
  return Promise.all(
    requests.map(async ({ key, path }) =>
      expectStatus(200, await api("2.5").get(`${url}${path}`, { key })).body.data.map(
        ({ offset: _offset, ...rest }: { readonly offset?: string }) => rest,
      ),
    ),
  );
}

async function assertIsSame(place: EmptyRegistry): Promise<void> {
  const expected = await shownBy(world);
  assert.deepEqual(
    expected.map((list) => (Array.isArray(list) ? list.length : 0)),
    [1, 2, 1, 0],
  );
  const there = await openWorldAt(place, world);
  try {
    assert.deepEqual(await shownBy(there), expected);
  } finally {
    await there.stop();
  }
}

const proves = (title: string, story: (place: EmptyRegistry) => Promise<void>) =>
  it(title, async () => {
    const place = await openEmptyRegistry();
    await story(place).finally(place.drop);
  });

describe("test clocks and webhooks are restored", () => {
  proves("from a backup of an older release", async (place) => {
    const to = join(folder, "backup");
    await expectSuccess(runInProcess(environmentOf(world), "backup", to));
    const manifest = await readManifest(to);
    const data = withOlderNames(await readSecrets(to, manifest));
    await writeManifest(to, { ...manifest, secretsSha256: await writeSecrets(to, new Map(data)) });
    await expectSuccess(runInProcess(place.environment, "restore", to));
    await assertIsSame(place);
  });

  proves("from an export of an older release", async (place) => {
    const file = join(folder, "all.jsonl");
    await expectSuccess(runInProcess(environmentOf(world), "export", "--secrets", "--to", file));
    const [header = "", ...rows] = readFileSync(file, "utf8").split("\n").slice(0, -2);
    const { secrets, ...rest } = JSON.parse(header);
    const older = { ...rest, secrets: Object.fromEntries(withOlderNames(Object.entries(secrets))) };
    const lines = checksummedLines(
      older,
      (async function* () {
        yield* rows;
      })(),
    );
    writeFileSync(file, (await Array.fromAsync(lines)).join(""));
    await expectSuccess(runInProcess(place.environment, "import", file));
    await assertIsSame(place);
  });
});

describe("a backup with data of an unknown kind", () => {
  proves("is refused instead of restored without it", async (place) => {
    const to = join(folder, "newer");
    await expectSuccess(runInProcess(environmentOf(world), "backup", to));
    const manifest = await readManifest(to);
    const data = new Map([...(await readSecrets(to, manifest)), ['entry ["auction","a"]', "{}"] as const]);
    await writeManifest(to, { ...manifest, secretsSha256: await writeSecrets(to, data) });
    await expectFailure(
      runInProcess(place.environment, "restore", to),
      /the backup has data of the unknown kind "auction": update the program/,
    );
  });
});
