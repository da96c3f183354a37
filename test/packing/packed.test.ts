import assert from "node:assert/strict";
import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { before, describe, it, type TestContext } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { SECTIONS } from "../../src/portal/docs/contents.ts";
import { scriptPaths } from "../../src/portal/layout/portalAssets.ts";
import { installedNodes, outputOf, runInFolder } from "../support/externalPrograms.ts";
import { openProcesses, urlOf } from "../support/processes.ts";
import { NO_REGISTRY, PLAIN_PATH } from "../support/programs.ts";

/** The packed file, installed in another project. */

const root = fileURLToPath(new URL("../..", import.meta.url));
const { folder, run } = openProcesses("packed");
const project = join(folder, "project");
const installed = join(project, "node_modules", "tenderhall");

let missing: string | undefined;

/** Packs the project and installs it into an empty one. */
before(async () => {
  mkdirSync(project);
  await outputOf(runInFolder(root, "npm", "pack", "--silent", "--pack-destination", folder));
  const packed = readdirSync(folder).find((name) => name.endsWith(".tgz"))!;
  writeFileSync(join(project, "package.json"), '{"name": "outside", "private": true, "type": "module"}');
  const { code, out, err } = await runInFolder(
    project,
    "npm",
    "install",
    "--no-audit",
    "--no-fund",
    join(folder, packed),
  );
  if (code !== 0 && NO_REGISTRY.test(err))
    missing = `the npm registry cannot be reached: ${/^.*code \S+/m.exec(err)?.[0]}`;
  else assert.equal(code, 0, out + err);
});

const needs = (t: TestContext): boolean => {
  if (missing) t.skip(missing);
  return missing === undefined;
};

/** The server of the installed package, by its command or by the file that the command runs. */
async function serve(t: TestContext): Promise<string> {
  const help = await outputOf(runInFolder(project, "npx", "--no-install", "tenderhall", "--help"));
  const environment = { DATA_DIR: join(folder, "data"), PATH: PLAIN_PATH };
  const command = help.includes("tenderhall serve")
    ? ["node", join(installed, "scripts", "tenderhall.mjs"), "serve"]
    : [join(project, "node_modules", "node", "bin", "node"), join(installed, "dist", "main.js")];
  const server = run(command, environment);
  // The command forwards signals except SIGKILL.
  t.after(async () => {
    server.child.kill("SIGTERM");
    await server.ended;
  });
  return urlOf(server);
}

const PROGRAM = `
import { createServer } from "node:http";
import { openClient, TenderhallError, verifyWebhook } from "tenderhall/client";
const client = openClient({ url: process.argv[2], key: "broker" });
const at = (days) => new Date(Date.now() + days * 86400000).toISOString();
const school = {
  name: "School", identifier: { scheme: "UA-EDR", id: "21725150", legalName: "School" },
  address: { countryName: "Україна" }, contactPoint: { name: "Anna", telephone: "+380" },
};
const meals = {
  title: "Meals", procuringEntity: school, value: { amount: 500 }, minimalStep: { amount: 5 },
  enquiryPeriod: { endDate: at(7) }, tenderPeriod: { endDate: at(14) },
  items: [{ description: "Meals", quantity: 5, unit: { name: "item", code: "44617100-9" },
    classification: { scheme: "ДК021", id: "55523100-3", description: "Meals" },
    additionalClassifications: [{ scheme: "ДКПП", id: "55.51.10.300", description: "Meals" }] }],
};
const { data, token } = await client.tenders.create(meals);
let seen = [];
const document = await client.documents.upload({ tender: data.id }, "x".repeat(200000), {
  name: "умови.txt", type: "text/plain", onProgress: (sent, total) => seen.push([sent, total]),
});
const text = await (await client.documents.download(document.data)).text();
const asked = [];
const watched = (input, init) => { asked.push(new URL(input).pathname); return fetch(input, init); };
const watching = openClient({ url: process.argv[2], fetch: watched });
const follow = async (push) => {
  asked.length = 0;
  for await (const change of watching.follow({ push, tenderID: data.tenderID })) return [change.id === data.id, asked.join()];
};
const followed = { byPages: await follow(false), byStream: await follow(true) };
const clock = await client.clocks.create();
const onClock = await client.tenders.create(meals, { clock: clock.data.id });
const moved = await client.clocks.advance(clock.data.id, { next: true });
let resolve;
const heard = new Promise((settle) => { resolve = settle; });
const receiver = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  response.end();
  resolve({ signature: request.headers["tenderhall-signature"], body });
});
await new Promise((listening) => receiver.listen(0, "127.0.0.1", listening));
const { data: webhook, secret } = await client.webhooks.create({ url: "http://127.0.0.1:" + receiver.address().port + "/" });
const told = await client.tenders.create(meals);
const delivered = await heard;
receiver.close();
receiver.closeAllConnections();
const ended = await client.webhooks.delete(webhook.id);
const refused = await client.tenders.get("0").catch((error) => error);
console.log(JSON.stringify({
  node: process.version, token: typeof token, title: document.data.title, bytes: text.length,
  last: seen.at(-1), first: seen[0], followed, refused: refused instanceof TenderhallError && refused.status,
  onClock: moved.data.tenders.map(({ id, status }) => [id === onClock.data.id, status]),
  delivered: JSON.parse(delivered.body).data.id === told.data.id, ended: ended.data.id === webhook.id,
  verified: [await verifyWebhook({ secret, ...delivered }), await verifyWebhook({ secret: "s", ...delivered })],
}));
`;

/** The same samples that are compiled with the sources. */
const TYPED = readFileSync(join(root, "test/typed/client.ts"), "utf8").replace(
  '"../../src/client/index.ts"',
  '"tenderhall/client"',
);

describe("the packed file", () => {
  it("has a client that imports nothing but itself", () => {
    const files = globSync("dist/client/**/*.{js,d.ts}", { cwd: root });
    assert.ok(files.length > 20);
    for (const file of files) {
      // Samples in doc comments import the package by name.
      const text = readFileSync(join(root, file), "utf8").replaceAll(/\/\*\*.*?\*\//gs, "");
      for (const [, from] of text.matchAll(/(?:\bfrom\s*|^import\s*|\bimport\(\s*)"([^"\n]+)"\s*[;)]/gm))
        assert.match(from!, /^\.\/\w+\.js$/, `${basename(file)} imports ${from}`);
    }
  });

  it("provides a command to another project", async (t) => {
    if (!needs(t)) return;
    const help = await outputOf(runInFolder(project, "npx", "--no-install", "tenderhall", "--help"));
    for (const command of ["serve", "doctor", "account add", "tender show", "sync", "demo", "backup"])
      assert.match(help, new RegExp(`^ {2}${command} `, "m"));
    const { code } = await runInFolder(project, "npx", "--no-install", "tenderhall", "nonsense");
    assert.equal(code, 2);
    const added = await outputOf(
      runInFolder(project, "npx", "--no-install", "tenderhall", "account", "add", "acme", "--levels", "12"),
    );
    assert.match(added, /^To use this file, start the server with MODE=production ACCOUNTS_FILE=accounts\.json$/m);
  });

  for (const { version, program } of installedNodes())
    it(`provides a client that runs on Node ${version} against the server of the same file`, async (t) => {
      if (!needs(t)) return;
      t.diagnostic(`the client ran on Node ${version}, ${program}`);
      writeFileSync(join(project, "program.js"), PROGRAM);
      const { node, ...rest } = JSON.parse(await outputOf(runInFolder(project, program, "program.js", await serve(t))));
      assert.equal(node, version);
      assert.deepEqual(rest, {
        token: "string",
        title: "умови.txt",
        bytes: 200000,
        first: [0, 200000],
        last: [200000, 200000],
        followed: { byPages: [true, "/api/2.5/tenders"], byStream: [true, "/api/2.5/tenders/stream"] },
        refused: 404,
        onClock: [[true, "active.tendering"]],
        delivered: true,
        ended: true,
        verified: [true, false],
      });
    });

  it("contains every page of the documentation", async (t) => {
    if (!needs(t)) return;
    const url = await serve(t);
    const paths = SECTIONS.flatMap(({ entries }) => entries.map(({ path }) => path));
    for (const path of [...paths, "/docs/decisions/0020-modules-and-vocabulary"])
      assert.equal((await fetch(url + path)).status, 200, path);
    const picture = /src="([^"]+modules\.svg[^"]*)"/.exec(await (await fetch(`${url}/docs/architecture`)).text())![1]!;
    assert.equal((await fetch(url + picture)).status, 200);
  });

  it("contains the scripts and the style of the portal, with the engine of auctions", async (t) => {
    if (!needs(t)) return;
    const script = `
      import { assetPath, handlePortalAssets, scriptPaths } from ${JSON.stringify(pathToFileURL(join(installed, "dist/portal/layout/portalAssets.js")))};
      const paths = [...scriptPaths("portal/browser/auctionPage.js"), "portal/layout/portal.css", "domain/auctions/replay.js"];
      console.log(JSON.stringify(paths.map((path) => [path, handlePortalAssets(assetPath("", path)).status])));`;
    const node = ["--input-type=module", "--eval", script];
    const served: readonly [string, number][] = JSON.parse(
      await outputOf(runInFolder(project, process.execPath, ...node)),
    );
    const inSource = [
      ...scriptPaths("portal/browser/auctionPage.js"),
      "portal/layout/portal.css",
      "domain/auctions/replay.js",
    ];
    assert.deepEqual(
      served,
      inSource.map((path) => [path, 200]),
    );
  });

  for (const [module, moduleResolution] of [
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ])
    it(`provides types that pass strict checks with moduleResolution ${moduleResolution}`, async (t) => {
      if (!needs(t)) return;
      writeFileSync(join(project, "typed.ts"), TYPED);
      const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022"];
      const lib = ["--lib", "es2022,dom,dom.iterable", "--types", "", "--ignoreConfig"];
      const how = [...options, ...lib, "--module", module!, "--moduleResolution", moduleResolution!, "typed.ts"];
      await outputOf(runInFolder(project, process.execPath, join(root, "node_modules/typescript/bin/tsc"), ...how));
    });
});
