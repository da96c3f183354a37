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

/** A file system of a few megabytes that a server has to itself, in a namespace of its own, and that is full. */
const APART = ["unshare", "--map-root-user", "--mount"];
const MOUNT = 'mount -t tmpfs -o size=4m tmpfs "$DATA_DIR"';
const SERVER = [process.execPath, "--disable-warning=ExperimentalWarning", "src/main.ts"];

const { folder, run } = openProcesses("full");

const mayMount = spawnSync(APART[0]!, [...APART.slice(1), "sh", "-c", MOUNT], { env: { DATA_DIR: folder } });
const skip =
  ENGINE !== "sqlite"
    ? "not on SQLite"
    : mayMount.status !== 0 && `NOT TRIED: no small disk can be mounted here: ${mayMount.stderr ?? mayMount.error}`;

const wide = "x".repeat(30_000);
const asNow = ({ status, headers, text }: TestResponse) =>
  assert.deepEqual([status, headers.get("retry-after")], [503, "1"], text);

/** A write that just fits is a write; answers how many did before one was refused. */
async function untilRefused(write: () => Promise<TestResponse>): Promise<number> {
  for (let done = 0; ; done++) {
    const response = await write();
    if (response.status >= 300) {
      asNow(response);
      return done;
    }
    assert.ok(done < 10, "the disk is not full");
  }
}

async function openFull() {
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  const server = run([...APART, "sh", "-c", `${MOUNT} && exec "$@"`, "sh", ...SERVER], { DATA_DIR: dataDir });
  const url = await urlOf(server);
  // As the server sees it: nobody else does.
  const inside = `/proc/${server.child.pid}/root${dataDir}`;
  const ballast = join(inside, "ballast");
  return {
    url,
    inside,
    server,
    fill: () => assert.throws(() => writeFileSync(ballast, Buffer.alloc(8 << 20)), { code: "ENOSPC" }),
    /** For a file of one page, and not for what has to be written of it. */
    makeRoomForAPage: () => truncateSync(ballast, statSync(ballast).size - 4096),
    makeRoom: () => rmSync(ballast),
  };
}

/** Nobody writes by now; the database itself follows no path into another's namespace. */
function assertWhole(inside: string): void {
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
    const made = await untilRefused(() => api.post("/tenders", { title: "Made", description: wide }));
    let title = "Before";
    await untilRefused(async () => {
      const response = await api.patch(path, { title: `${title}+`, description: wide }, { token });
      if (response.status === 200) title += "+";
      return response;
    });
    const uploads = join(inside, "files");
    const files = () => globSync("**/*", { cwd: uploads }).sort();
    const before = files();
    asNow(await api.upload(`${path}/documents`, file, { token }));
    asNow(await api.upload(`${url}/upload`, file));
    await untilRefused(() => api.post(`${url}/sandbox/clocks/${clock.id}/advance`, { by: "P1D" }));
    makeRoomForAPage();
    asNow(await api.upload(`${path}/documents`, { ...file, content: "short" }, { token }));
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
    assertWhole(inside);
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, [0, null], server.output());
  });
});
