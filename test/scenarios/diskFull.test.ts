import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, globSync, mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { ENGINE } from "../support/engines.ts";
import { publish } from "../support/examples.ts";
import { openProcesses, urlOf } from "../support/processes.ts";
import { expectStatus, openApi, type TestResponse } from "../support/world.ts";

/** A full file system of a few megabytes for one server, in its own mount namespace. */
const UNSHARE = ["unshare", "--map-root-user", "--mount"];
const MOUNT = 'mount -t tmpfs -o size=4m tmpfs "$DATA_DIR"';
const SERVER = [process.execPath, "--disable-warning=ExperimentalWarning", "src/main.ts"];

const { folder, run } = openProcesses("full");

const mayMount = spawnSync(UNSHARE[0]!, [...UNSHARE.slice(1), "sh", "-c", MOUNT], { env: { DATA_DIR: folder } });
const skip =
  ENGINE !== "sqlite"
    ? "not on SQLite"
    : mayMount.status !== 0 && `NOT TRIED: no small disk can be mounted here: ${mayMount.stderr ?? mayMount.error}`;

const wide = "x".repeat(30_000);
const assertUnavailable = ({ status, headers, text }: TestResponse) =>
  assert.deepEqual([status, headers.get("retry-after")], [503, "1"], text);

/** Writes until a write is refused, because small ones may still fit. Returns how many succeeded. */
async function writeUntilRefused(write: () => Promise<TestResponse>): Promise<number> {
  for (let done = 0; ; done++) {
    const response = await write();
    if (response.status >= 300) {
      assertUnavailable(response);
      return done;
    }
    assert.ok(done < 10, "the disk is not full");
  }
}

async function openFull() {
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  const server = run([...UNSHARE, "sh", "-c", `${MOUNT} && exec "$@"`, "sh", ...SERVER], { DATA_DIR: dataDir });
  const url = await urlOf(server);
  // Through the namespace of the server, because the mount is visible only there.
  const inside = `/proc/${server.child.pid}/root${dataDir}`;
  const ballast = join(inside, "ballast");
  return {
    url,
    inside,
    server,
    fill: () => assert.throws(() => writeFileSync(ballast, Buffer.alloc(8 << 20)), { code: "ENOSPC" }),
    /** Leaves room for a file of one page, but not for its contents. */
    makeRoomForAPage: () => truncateSync(ballast, statSync(ballast).size - 4096),
    makeRoom: () => rmSync(ballast),
  };
}

/** Asserts that a copy of the database is intact. SQLite cannot open a path in another namespace. Nothing may write meanwhile. */
function assertIntact(inside: string): void {
  for (const ending of ["", "-wal"])
    copyFileSync(join(inside, `tenderhall.sqlite${ending}`), join(folder, `copy.sqlite${ending}`));
  const db = new DatabaseSync(join(folder, "copy.sqlite"));
  assert.deepEqual({ ...db.prepare("pragma integrity_check").get() }, { integrity_check: "ok" });
  db.close();
}

describe("a server on SQLite whose disk is full", { skip }, () => {
  it("refuses writes with Retry-After, keeps serving reads, and accepts writes once there is space", async () => {
    const { url, inside, server, fill, makeRoomForAPage, makeRoom } = await openFull();
    const api = openApi(() => url, "2.3");
    const file = { name: "a.txt", content: wide, type: "text/plain" };
    const { path, token } = await publish(api, { title: "Before" });
    const document = expectStatus(201, await api.upload(`${path}/documents`, file, { token })).body.data;
    const clock = expectStatus(201, await api.post(`${url}/sandbox/clocks`, {})).body.data;

    fill();
    const made = await writeUntilRefused(() => api.post("/tenders", { title: "Made", description: wide }));
    let title = "Before";
    await writeUntilRefused(async () => {
      const response = await api.patch(path, { title: `${title}+`, description: wide }, { token });
      if (response.status === 200) title += "+";
      return response;
    });
    const uploads = join(inside, "files");
    const files = () => globSync("**/*", { cwd: uploads }).sort();
    const before = files();
    assertUnavailable(await api.upload(`${path}/documents`, file, { token }));
    assertUnavailable(await api.upload(`${url}/upload`, file));
    await writeUntilRefused(() => api.post(`${url}/sandbox/clocks/${clock.id}/advance`, { by: "P1D" }));
    makeRoomForAPage();
    assertUnavailable(await api.upload(`${path}/documents`, { ...file, content: "short" }, { token }));
    assert.deepEqual(files(), before, "something of a refused upload was left behind");

    const shown = expectStatus(200, await api.get(path)).body.data;
    assert.deepEqual([shown.title, shown.documents.length], [title, 1]);
    assert.equal(expectStatus(200, await api.get(document.url)).text, wide);
    assert.equal(expectStatus(200, await api.get("/tenders")).body.data.length, 1 + made);
    assert.equal((await fetch(`${url}/health/ready`)).status, 200);

    makeRoom();
    expectStatus(200, await api.patch(path, { title: "After" }, { token }));
    expectStatus(201, await api.post("/tenders", { title: "New" }));
    expectStatus(201, await api.upload(`${path}/documents`, file, { token }));
    expectStatus(200, await api.post(`${url}/sandbox/clocks/${clock.id}/advance`, { by: "P1D" }));
    assert.equal(expectStatus(200, await api.get("/tenders")).body.data.length, 2 + made);
    assertIntact(inside);
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, [0, null], server.output());
  });
});
