import assert from "node:assert/strict";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { fullTender, publish } from "../support/examples.ts";
import { installedNodes, outputOf, runInFolder } from "../support/externalPrograms.ts";
import { copyCheckout } from "../support/installedProject.ts";
import { openProcesses } from "../support/processes.ts";
import { sharedWorld } from "../support/world.ts";

/** The packed client, alone in a project without the server and its Node. */

const root = fileURLToPath(new URL("../..", import.meta.url));
const { folder } = openProcesses("packed-client");
const [checkout, project] = [join(folder, "checkout"), join(folder, "project")];
const installed = join(project, "node_modules", "tenderhall-client");
const TSC = join(root, "node_modules/typescript/bin/tsc");
/** Most of it is documentation: every property and option has a doc comment, which editors show. */
const BYTES_MAX = 65_000;

const jsonIn = (file: string) => JSON.parse(readFileSync(file, "utf8"));

let packed = "";
const world = await sharedWorld();

before(async () => {
  // A copy, because other tests may build this project meanwhile.
  copyCheckout(checkout);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{"name": "outside", "private": true, "type": "module"}');
  const client = join(checkout, "packages", "client");
  packed = join(
    project,
    (await outputOf(runInFolder(project, "npm", "pack", "--silent", client))).trim().split("\n").at(-1)!,
  );
  // It has no dependencies, so the installation works offline.
  await outputOf(
    runInFolder(project, "npm", "install", "--offline", "--no-audit", "--no-fund", `./${basename(packed)}`),
  );
});

describe("the packed client", () => {
  it("is small, has no dependencies, and has the same version as the server", () => {
    const { name, version, dependencies, engines } = jsonIn(join(installed, "package.json"));
    assert.deepEqual([name, dependencies, engines], ["tenderhall-client", undefined, { node: ">=20" }]);
    assert.equal(version, jsonIn(join(root, "package.json")).version);
    assert.equal(basename(packed), `tenderhall-client-${version}.tgz`);
    assert.ok(statSync(packed).size < BYTES_MAX, `${statSync(packed).size} bytes`);
    const { packages } = jsonIn(join(project, "package-lock.json"));
    assert.deepEqual(Object.keys(packages), ["", "node_modules/tenderhall-client"]);
    for (const file of ["README.md", "LICENSE"]) assert.ok(readFileSync(join(installed, file), "utf8"));
  });

  for (const [module, moduleResolution] of [
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ])
    it(`has types that pass strict checks with moduleResolution ${moduleResolution}`, async () => {
      const sample = readFileSync(join(root, "test/typed/client.ts"), "utf8");
      const text = sample.replace('"../../src/client/index.ts"', '"tenderhall-client"');
      assert.notEqual(text, sample);
      writeFileSync(join(project, "typed.ts"), text);
      const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022", "--ignoreConfig"];
      const lib = ["--lib", "es2022,dom,dom.iterable", "--types", "", "--moduleResolution", moduleResolution!];
      await outputOf(runInFolder(project, process.execPath, TSC, ...options, ...lib, "--module", module!, "typed.ts"));
    });

  for (const { version, program } of installedNodes())
    it(`runs the sample of its README on Node ${version} against a server`, async () => {
      const { id } = await publish(world.api("2.5"), fullTender(world.clock.now));
      const [, sample = ""] = /^```ts\n(.*?)^```$/ms.exec(readFileSync(join(installed, "README.md"), "utf8")) ?? [];
      writeFileSync(join(project, "sample.ts"), sample.replace("http://127.0.0.1:8080", world.url));
      const options = ["--strict", "--target", "es2022", "--module", "nodenext", "--ignoreConfig", "--types", ""];
      const lib = ["--lib", "es2022,dom,dom.iterable"];
      await outputOf(runInFolder(project, process.execPath, TSC, ...options, ...lib, "sample.ts"));
      const out = await outputOf(runInFolder(project, program, "sample.js"));
      assert.ok(out.includes(`${id} active.enquiries ${fullTender().title}\n`), out);
      assert.match(out, /^\d+ tenders\n404 not-found\n$/m);
    });
});
