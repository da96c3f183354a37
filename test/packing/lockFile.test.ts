import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { writeInstallProject } from "../../scripts/installProject.ts";
import { NODE_PACKAGE, PACKAGES } from "../../scripts/nodeBinary.mjs";
import { openProcesses } from "../support/processes.ts";
import { plainEnvironment } from "../support/programs.ts";

/** Everything that runs in production is pinned by its hash, including the Node binary. */

type Entry = {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
};
type Lock = { readonly packages: { readonly [path: string]: Entry } };

const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const manifest = read("package.json") as {
  readonly version: string;
  readonly dependencies: { readonly [name: string]: string };
  readonly optionalDependencies: { readonly [name: string]: string };
};
const { folder } = openProcesses("pinned");
const SHA512 = /^sha512-[\w+/]{86}==$/;

function productionIn({ packages }: Lock): readonly (readonly [string, Entry])[] {
  const found = Object.entries(packages).filter(([path, { dev, devOptional }]) => path && !dev && !devOptional);
  assert.ok(found.length > 15);
  return found;
}

describe("package-lock.json", () => {
  const lock = read("package-lock.json") as Lock;

  it("has the hash of every package, names no registry, and allows no install scripts in production", () => {
    for (const [path, { integrity, resolved }] of Object.entries(lock.packages).filter(([path]) => path)) {
      assert.match(integrity ?? "", SHA512, path);
      assert.equal(resolved, undefined, path);
    }
    for (const [path, { hasInstallScript }] of productionIn(lock)) assert.ok(!hasInstallScript, path);
    assert.match(readFileSync(".npmrc", "utf8"), /^omit-lockfile-registry-resolved=true$/m);
  });

  it("has the same Node version for each platform", () => {
    const names = Object.values(PACKAGES).toSorted();
    assert.deepEqual(Object.keys(manifest.optionalDependencies).toSorted(), names);
    assert.equal(new Set(Object.values(manifest.optionalDependencies)).size, 1);
    for (const name of names)
      assert.equal(lock.packages[`node_modules/${name}`]?.version, manifest.optionalDependencies[name], name);
    assert.ok(NODE_PACKAGE && lock.packages[`node_modules/${NODE_PACKAGE}`]);
  });
});

/** An npm registry that serves the same contents for every package. */
async function openRegistry(contents: Buffer) {
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url!.slice(1));
    if (name.endsWith(".tgz")) return response.end(contents);
    const { version } = (read("package-lock.json") as Lock).packages[`node_modules/${name}`]!;
    const dist = { tarball: `http://${request.headers.host}/${name}.tgz` };
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ name, versions: { [version]: { name, version, dist } } }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

async function npm(cwd: string, ...args: readonly string[]) {
  const environment = {
    ...plainEnvironment(),
    npm_config_cache: join(folder, "cache"),
    npm_config_userconfig: "/dev/null",
  };
  const child = spawn("npm", [...args, "--no-audit", "--no-fund", "--fetch-retries=0"], { cwd, env: environment });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  const [code] = await once(child, "close");
  return { code: code as number, said: output };
}

describe("the installation of the packed file", () => {
  const project = join(folder, "project");
  /** A malicious package. */
  let foreign: Buffer;
  let registry: Awaited<ReturnType<typeof openRegistry>>;

  before(async () => {
    const other = join(folder, "other");
    mkdirSync(join(other, "bin"), { recursive: true });
    writeFileSync(join(other, "bin/node"), "#!/bin/sh\necho foreign\n", { mode: 0o755 });
    writeFileSync(join(other, "package.json"), '{"name": "other", "version": "1.0.0", "bin": {"node": "bin/node"}}');
    const packed = await npm(other, "pack");
    assert.equal(packed.code, 0, packed.said);
    foreign = readFileSync(join(other, readdirSync(other).find((name) => name.endsWith(".tgz"))!));
    registry = await openRegistry(foreign);
    writeInstallProject(project);
  });
  after(() => registry.close());

  it("pins exactly what package-lock.json pins for production, and the packed file", () => {
    const lock = read(join(project, "package-lock.json")) as Lock;
    const packed = `file:tenderhall-${manifest.version}.tgz`;
    const { "": root, "node_modules/tenderhall": itself, ...rest } = lock.packages;
    assert.deepEqual(rest, Object.fromEntries(productionIn(read("package-lock.json"))));
    assert.equal(itself?.resolved, packed);
    assert.deepEqual(read(join(project, "package.json")).dependencies, { tenderhall: packed });
    for (const name of [...Object.keys(manifest.dependencies), ...Object.keys(manifest.optionalDependencies)])
      assert.match(rest[`node_modules/${name}`]?.integrity ?? "", SHA512, name);
  });

  /** A project with one package of the lock file. */
  function projectOf(name: string, kind: "dependencies" | "optionalDependencies", change: (entry: Entry) => Entry) {
    const cwd = join(folder, `${name}-${readdirSync(folder).length}`);
    const entry = (read(join(project, "package-lock.json")) as Lock).packages[`node_modules/${name}`]!;
    const root = { name: "one", [kind]: { [name]: entry.version } };
    const packages = { "": root, [`node_modules/${name}`]: change(entry) };
    mkdirSync(cwd);
    writeFileSync(join(cwd, "package.json"), JSON.stringify(root));
    writeFileSync(
      join(cwd, "package-lock.json"),
      JSON.stringify({ name: "one", lockfileVersion: 3, requires: true, packages }),
    );
    return cwd;
  }
  const ci = (cwd: string) => npm(cwd, "ci", "--ignore-scripts", "--registry", registry.url);
  const asServed = (entry: Entry): Entry => ({
    ...entry,
    integrity: `sha512-${createHash("sha512").update(foreign).digest("base64")}`,
  });

  it("refuses a package whose contents differ from the lock file", async () => {
    const name = "marked";
    const { code, said: output } = await ci(projectOf(name, "dependencies", (entry) => entry));
    assert.notEqual(code, 0);
    assert.match(output, /EINTEGRITY/);
    // The same registry is accepted if the hash matches, so it was the hash that was refused.
    const believed = projectOf(name, "dependencies", asServed);
    const second = await ci(believed);
    assert.equal(second.code, 0, second.said);
    assert.ok(existsSync(join(believed, "node_modules", name)));
  });

  it("never installs a Node that differs from the lock file, and the command then refuses to run", async () => {
    const cwd = projectOf(NODE_PACKAGE!, "optionalDependencies", (entry) => entry);
    await ci(cwd);
    assert.ok(!existsSync(join(cwd, "node_modules", NODE_PACKAGE!)));
    const believed = projectOf(NODE_PACKAGE!, "optionalDependencies", asServed);
    await ci(believed);
    assert.ok(existsSync(join(believed, "node_modules", NODE_PACKAGE!, "bin/node")));
    const scripts = join(cwd, "node_modules/tenderhall/scripts");
    mkdirSync(scripts, { recursive: true });
    for (const file of ["tenderhall.mjs", "nodeBinary.mjs"])
      writeFileSync(join(scripts, file), readFileSync(join("scripts", file)));
    const child = spawn(process.execPath, [join(scripts, "tenderhall.mjs"), "help"], { env: plainEnvironment() });
    let output = "";
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    assert.deepEqual(await once(child, "close"), [1, null]);
    assert.match(output, new RegExp(`^The package ${NODE_PACKAGE}, the Node that runs Tenderhall, is not installed`));
  });
});
