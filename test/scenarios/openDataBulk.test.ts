import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import { openForReading } from "../../src/app/offline.ts";
import { compileReleases } from "../../src/ocds/merge.ts";
import { updateBulkFiles } from "../../src/opendata/bulk/bulkFiles.ts";
import { readBulkSource } from "../../src/opendata/bulk/bulkSource.ts";
import { ENGINE } from "../support/engines.ts";
import { fullTender, publish } from "../support/examples.ts";
import { allReleases, readOpenData } from "../support/openData.ts";
import {
  environmentOf,
  expectFailure,
  expectSuccess,
  openSourceWorld,
  PUBLIC_URL_SETTINGS,
  populate,
  runInProcess,
} from "../support/populatedRegistry.ts";
import { openProcesses, waitUntil } from "../support/processes.ts";
import { outcomeOf, reachStage } from "../support/stages.ts";
import { openWorld, type World } from "../support/world.ts";

type Manifest = {
  readonly files: readonly {
    readonly name: string;
    readonly kind: string;
    readonly period: string;
    readonly bytes: number;
    readonly unpackedBytes: number;
    readonly lines: number;
    readonly sha256: string;
  }[];
};

const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
const unpacked = (folder: string, name: string): string => gunzipSync(readFileSync(join(folder, name))).toString();
const contentsOf = (folder: string): ReadonlyMap<string, string> =>
  new Map(manifestIn(folder).files.map(({ name, sha256 }) => [name, sha256]));

describe("the bulk files of open data", () => {
  const root = mkdtempSync(join(tmpdir(), "tenderhall-bulk-"));
  const { run } = openProcesses("bulk");
  let world: World;
  before(async () => {
    world = await openSourceWorld();
    await populate(world);
    await allReleases(world);
  });
  after(async () => {
    await world.stop();
    rmSync(root, { recursive: true, force: true });
  });
  const environment = () => ({ ...environmentOf(world), ...PUBLIC_URL_SETTINGS });
  const exportTo = (folder: string) => expectSuccess(runInProcess(environment(), "ocds", "export", folder));

  it("can be read by a web server that runs as another user, also the folder that the command makes", async () => {
    const folder = join(root, "public", "data");
    const umask = process.umask(0o077);
    await exportTo(folder).finally(() => process.umask(umask));
    const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
    assert.deepEqual([modeOf(join(folder, "..")), modeOf(folder)], ["755", "755"]);
    for (const name of readdirSync(folder)) assert.equal(modeOf(join(folder, name)), "644", name);
  });

  it("need a folder, and a rebuild needs a registry that no server writes to: messages say so", async () => {
    const file = join(root, "file");
    writeFileSync(file, "");
    await expectFailure(runInProcess(environment(), "ocds", "export", file), /^.*\/file is a file, not a folder\n$/);
    if (ENGINE === "sqlite")
      await expectFailure(
        runInProcess(environment(), "ocds", "rebuild"),
        /another server is running on .*: stop it first, because nothing else may write during this command\n$/,
      );
  });

  it("have every release and every tender once, by month and all together, as the manifest says", async () => {
    const folder = join(root, "all");
    await exportTo(folder);
    const { files } = manifestIn(folder);
    assert.deepEqual(
      readdirSync(folder).toSorted(),
      ["manifest.json", "state.json", ...files.map(({ name }) => name)].toSorted(),
    );
    for (const { name, bytes, unpackedBytes, lines, sha256, kind } of files) {
      const content = readFileSync(join(folder, name));
      assert.equal(content.length, bytes);
      assert.equal(createHash("sha256").update(content).digest("hex"), sha256);
      const text = unpacked(folder, name);
      assert.equal(Buffer.byteLength(text), unpackedBytes);
      if (kind === "releases" || kind === "compiled") assert.equal(text.split("\n").length - 1, lines);
    }
    const releases = await allReleases(world);
    const linesIn = (kind: string, period: (name: string) => boolean) =>
      files
        .filter((file) => file.kind === kind && period(file.period))
        .flatMap(({ name }) => unpacked(folder, name).trimEnd().split("\n"));
    for (const isPeriod of [(name: string) => name === "all", (name: string) => name !== "all"]) {
      assert.deepEqual(
        linesIn("releases", isPeriod).map((line) => JSON.parse(line)),
        releases,
      );
      const compiled = linesIn("compiled", isPeriod).map((line) => JSON.parse(line));
      const byOcid = Map.groupBy(releases, ({ ocid }) => ocid);
      assert.deepEqual(
        compiled,
        [...byOcid.values()].map((all) => JSON.parse(JSON.stringify(compileReleases(all)))),
      );
    }
    const [header, ...rows] = linesIn("tenders", (name) => name === "all");
    assert.match(header ?? "", /^ocid,id,tenderID,title,/);
    assert.equal(rows.length, new Set(releases.map(({ ocid }) => ocid)).size);
    assert.ok(!rows.some((row) => row.startsWith("ocid,")), "the header comes once");
  });

  it("are made again only where something changed", async () => {
    const folder = join(root, "changed");
    await exportTo(folder);
    const first = contentsOf(folder);
    const changedAt = (name: string) => statSync(join(folder, name)).mtimeMs;
    const months = [...first.keys()].filter((name) => !name.includes("-all-"));
    const times = new Map(months.map((name) => [name, changedAt(name)]));
    await exportTo(folder);
    assert.deepEqual(contentsOf(folder), first);
    for (const name of months) assert.equal(changedAt(name), times.get(name), name);
    world.clock.forward(40 * 24 * 3600 * 1_000_000);
    await publish(world.api("2.5"), fullTender(world.clock.now));
    await allReleases(world);
    await exportTo(folder);
    const again = join(root, "again");
    await exportTo(again);
    assert.deepEqual([...contentsOf(folder)].toSorted(), [...contentsOf(again)].toSorted());
    assert.notDeepEqual(contentsOf(folder), first);
  });

  it("come in numbered parts when they are large, each with its header", async () => {
    const folder = join(root, "parts");
    const { store, close } = await openForReading(world.config);
    const settings = { ocidPrefix: "ocds-213czf", publisher: "P" };
    try {
      const unpackedBytesMax = 20_000;
      const source = readBulkSource(store);
      await updateBulkFiles({ folder, source, settings, origin: "https://a.example", unpackedBytesMax });
    } finally {
      await close();
    }
    const { files } = manifestIn(folder);
    const parts = files.filter(({ kind, period }) => kind === "parties" && period === "all");
    assert.ok(files.some(({ name }) => name.startsWith("releases-all-2.")));
    for (const { name } of parts) assert.match(unpacked(folder, name), /^ocid,id,name,/);
    for (const { unpackedBytes, lines } of files)
      assert.ok(unpackedBytes <= 20_000 || lines === 1, String(unpackedBytes));
  });

  it("are complete after kill -9 at any time and another start", async () => {
    const expected = join(root, "expected");
    await exportTo(expected);
    const folder = join(root, "killed");
    const command = [process.execPath, "src/cli/tenderhall.ts", "ocds", "export", folder];
    let interrupted = 0;
    for (const files of [1, 2, 4]) {
      const { child, ended } = run(command, environment());
      const hasEnough = () => existsSync(folder) && readdirSync(folder).length >= files;
      await waitUntil(
        () => child.exitCode !== null || hasEnough(),
        () => `there are fewer than ${files} files`,
      );
      child.kill("SIGKILL");
      await ended;
      if (!existsSync(join(folder, "manifest.json"))) interrupted++;
    }
    assert.ok(interrupted > 0, "no export was interrupted");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "releases-all-1.jsonl.gz.part"), "half");
    await exportTo(folder);
    assert.deepEqual([...contentsOf(folder)].toSorted(), [...contentsOf(expected)].toSorted());
    assert.ok(!readdirSync(folder).some((name) => name.endsWith(".part")));
  });

  it("are served with their checksum, in ranges", async () => {
    const folder = join(world.dataDir, "open-data");
    const pending = await readOpenData(world, "/data/manifest.json");
    assert.equal(outcomeOf(pending), "404 url/data_file: The files are being prepared");
    assert.equal(pending.headers.get("retry-after"), "60");
    await exportTo(folder);
    const manifest: Manifest = JSON.parse(await (await fetch(`${world.url}/data/manifest.json`)).text());
    assert.deepEqual(manifest, manifestIn(folder));
    const file = manifest.files.find(({ kind }) => kind === "releases");
    const address = `${world.url}/data/${file?.name}`;
    const whole = await fetch(address);
    const bytes = Buffer.from(await whole.arrayBuffer());
    assert.deepEqual(bytes, readFileSync(join(folder, file?.name ?? "")));
    assert.equal(whole.headers.get("etag"), `"${file?.sha256}"`);
    const modified = whole.headers.get("last-modified") ?? "";
    assert.ok(Date.parse(modified) <= Date.now(), modified);
    const statusOf = async (headers: { readonly [name: string]: string }) => (await fetch(address, { headers })).status;
    const earlier = new Date(Date.parse(modified) - 1000).toUTCString();
    assert.equal(await statusOf({ "If-Modified-Since": modified }), 304);
    assert.equal(await statusOf({ "If-Modified-Since": earlier }), 200);
    assert.equal(await statusOf({ "If-Modified-Since": "soon" }), 200);
    assert.equal(await statusOf({ "If-Modified-Since": modified, "If-None-Match": '"other"' }), 200);
    assert.equal(await statusOf({ Range: "bytes=0-1", "If-Range": modified }), 206);
    assert.equal(await statusOf({ Range: "bytes=0-1", "If-Range": earlier }), 200);
    const part = await fetch(address, { headers: { Range: "bytes=10-19" } });
    assert.equal(part.status, 206);
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(10, 20));
    const etag = whole.headers.get("etag") ?? "";
    assert.equal((await fetch(address, { headers: { "If-None-Match": etag } })).status, 304);
    for (const name of ["state.json", "..%2Ftenderhall.sqlite", "nothing"])
      assert.equal((await fetch(`${world.url}/data/${name}`)).status, 404, name);
    assert.equal((await fetch(`${world.url}/data/%FF`)).status, 400);
  });

  it("are served as the API description says", async () => {
    const { paths } = JSON.parse(readFileSync("docs/api/site.json", "utf8"));
    const { parameters, responses } = paths["/data/{data_file}"].get;
    const address = `${world.url}/data/releases-all-1.jsonl.gz`;
    const { headers } = await fetch(address);
    const etag = headers.get("etag") ?? "";
    const requests = [
      [200, {}],
      [304, { "If-None-Match": etag }],
      [304, { "If-Modified-Since": headers.get("last-modified") ?? "" }],
      [206, { Range: "bytes=0-1", "If-Range": etag }],
      [416, { Range: "bytes=999999999-" }],
    ] as const;
    const sent = requests.flatMap(([, given]) => Object.keys(given));
    const names = parameters.map(({ name }: { readonly name: string }) => name);
    assert.deepEqual([...new Set(sent)].toSorted(), names.toSorted());
    for (const [status, given] of requests) {
      const response = await fetch(address, { headers: given });
      await response.arrayBuffer();
      assert.equal(response.status, status);
      for (const name of Object.keys(responses[status].headers))
        assert.ok(response.headers.has(name), `${status} ${name}`);
    }
  });

  it("are listed with the licence on a page in both languages", async () => {
    for (const [path, title] of [
      ["/data", "Відкриті дані"],
      ["/en/data", "Open data"],
    ] as const) {
      const response = await fetch(`${world.url}${path}`);
      const page = await response.text();
      assert.equal(response.status, 200);
      assert.match(page, new RegExp(`<h1>${title}</h1>`));
      for (const { name } of manifestIn(join(world.dataDir, "open-data")).files)
        assert.ok(page.includes(`/data/${name}"`), name);
    }
  });

  it("and the releases of the registry have no problems", async () => {
    const output = await expectSuccess(runInProcess(environmentOf(world), "ocds", "check"));
    assert.match(
      output,
      /releases checked \(coherence only: use --schemas DIR to check the schemas, too\): 0 problems/,
    );
  });
});

describe("the bulk files of a registry whose releases are made again", () => {
  it("are made again by its server and by the next export, and can be downloaded all the time", async () => {
    const world = await openWorld(PUBLIC_URL_SETTINGS, true);
    const folder = join(world.dataDir, "exported");
    const environment = { ...environmentOf(world), ...PUBLIC_URL_SETTINGS };
    const statusOf = async (name: string) => (await fetch(`${world.url}/data/${name}`)).status;
    const served = async (): Promise<string> => {
      const response = await fetch(`${world.url}/data/releases-all-1.jsonl.gz`);
      return response.ok ? gunzipSync(await response.bytes()).toString() : `status ${response.status}`;
    };
    const restart = async (title: string) => {
      await world.halt();
      await expectSuccess(runInProcess(environment, "ocds", "rebuild"));
      // A release that the code would word differently.
      await world.database.query(
        `update releases set value = replace(value, '"tender":{', '"tender":{"title":"${title}",')`,
      );
      await world.restart();
    };
    try {
      await reachStage(world, "active.tendering");
      await allReleases(world);
      await restart("перша");
      await waitUntil(async () => (await served()).includes("перша"), world.logText);
      await expectSuccess(runInProcess(environment, "ocds", "export", folder));
      assert.match(unpacked(folder, "releases-all-1.jsonl.gz"), /перша/);

      await restart("друга");
      assert.equal(await statusOf("manifest.json"), 200);
      await waitUntil(async () => (await served()).includes("друга"), world.logText);
      await expectSuccess(runInProcess(environment, "ocds", "export", folder));
      assert.match(unpacked(folder, "releases-all-1.jsonl.gz"), /друга/);
    } finally {
      await world.stop();
    }
  });
});
