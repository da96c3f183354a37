import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { type Environment, SETTINGS } from "../src/config.ts";
import { hashOf } from "../src/registry/secrets.ts";
import { openWorld } from "./support/beside.ts";
import { openProcesses, until, urlOf } from "./support/processes.ts";
import { missing, NO_REGISTRY, PROGRAMS, plainEnvironment } from "./support/programs.ts";

/** No engine for containers runs here, so the files are held to what they name. */

const container = readFileSync("deploy/Containerfile", "utf8");
const unit = readFileSync("deploy/tenderhall.service", "utf8");
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  scripts: { readonly [name: string]: string };
};
const stages = container.split(/^FROM /m).slice(1);
const { folder, run } = openProcesses("deploy");

function ranIn(cwd: string, [command = "", ...args]: readonly string[], more: Environment = {}) {
  const env = { ...plainEnvironment(), ...more };
  // In a group of its own, as whoever waits for a registry that does not answer does not wait alone.
  const child = spawn(command, args, { cwd, env, detached: true });
  let err = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      err += chunk;
    });
  return new Promise<{ readonly code: number | null; readonly err: string }>((done) => {
    const limit = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), PATIENCE_MS);
    child.on("close", (code) => {
      clearTimeout(limit);
      done({ code, err });
    });
    child.on("error", (error) => done({ code: 1, err: error.message }));
  });
}

const PATIENCE_MS = 80_000;

describe("the files in deploy", () => {
  it("name settings and npm scripts that exist", () => {
    const known = SETTINGS.map(({ name }) => name);
    const inUnit = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name]) => name!);
    const [, variables = ""] = /^ENV ((?:.*\\\n)*.*)$/m.exec(container) ?? [];
    const inContainer = [...variables.matchAll(/(\w+)=/g)].map(([, name]) => name!);
    assert.ok(inUnit.length > 3 && inContainer.length > 4);
    for (const name of [...inUnit, ...inContainer]) assert.ok(known.includes(name), name);
    const scriptsNamed = [...`${unit}${container}`.matchAll(/npm (?:run ([\w:]+)|(start|ci))/g)];
    for (const [, named, usual] of scriptsNamed) assert.ok(usual === "ci" || scripts[(named ?? usual)!], String(named));
  });

  it("run the program as npm start does, with the Node that comes with it", () => {
    const run = "node_modules/node/bin/node --disable-warning=ExperimentalWarning src/main.ts";
    assert.ok(unit.includes(`\nExecStart=/opt/tenderhall/${run}\n`));
    assert.ok(container.includes(`\nCMD ${JSON.stringify(run.split(" ")).replaceAll(",", ", ")}\n`));
    assert.equal(scripts.start, `node scripts/run.mjs src/main.ts`);
    for (const [, from] of container.matchAll(/^COPY (?!--from)(.+) \S+$/gm))
      for (const path of from!.split(" ")) assert.ok(existsSync(path), path);
  });

  it("run it as a user that is not root, and let it write to its data alone", () => {
    const [, user] = /^USER (\S+)$/m.exec(stages.at(-1)!) ?? [];
    assert.ok(user && user !== "root" && user !== "0");
    for (const line of ["User=tenderhall", "NoNewPrivileges=yes", "ProtectSystem=strict", "StateDirectory=tenderhall"])
      assert.ok(unit.includes(`\n${line}\n`), line);
  });

  it("are understood by systemd", { skip: missing("systemd-analyze") }, () => {
    const file = join(folder, "tenderhall.service");
    writeFileSync(file, unit.replaceAll("/opt/tenderhall", process.cwd()));
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
    assert.doesNotMatch(stderr, /tenderhall\.service:/);
  });

  it("make no image of what was not checked", () => {
    const [, copied] = /^COPY --from=checked (\S+) \S+$/m.exec(stages.at(-1)!) ?? [];
    const [checked] = stages.filter((stage) => stage.includes(" AS checked\n"));
    assert.ok(copied && checked?.includes(`RUN npm run check && touch ${copied}\n`));
  });

  it("install, where all is checked, what the tests call, unless those are skipped where it is not", () => {
    const checked = stages.find((stage) => stage.includes(" AS checked\n"))!;
    const [, packages = ""] = /apt-get install -y --no-install-recommends ([^&\n]+)/.exec(checked) ?? [];
    for (const [name, how] of Object.entries(PROGRAMS))
      assert.equal(packages.trim().split(" ").includes(name), how === "installed", name);
    const tests = globSync(["test/**/*.ts", "src/**/*.test.ts"]);
    const called = tests.flatMap((file) =>
      [
        ...readFileSync(file, "utf8").matchAll(
          /(?<![.\w])(?:spawn|exec|execFile|fork)(?:Sync)?\)?\(\s*["'`]([^"'`]*)["'`]/g,
        ),
      ].map(([, command]) => ({ file, name: command!.split(" ")[0]! })),
    );
    assert.ok(called.some(({ name }) => name === "bash"));
    for (const { file, name } of called.filter((one) => !["node", "npm", "npx", "sh"].includes(one.name))) {
      assert.ok(name in PROGRAMS, `${file} calls ${name}`);
      // The one that is called everywhere is looked for by those who call this.
      const looks = file === "test/support/programs.ts" || readFileSync(file, "utf8").includes("missing(");
      assert.ok(looks, `${file} does not say why it is skipped where there is no ${name}`);
    }
    for (const file of tests.filter((one) => /\brun(Script|Samples)\(/.test(readFileSync(one, "utf8"))))
      assert.match(`${file} ${readFileSync(file, "utf8")}`, /^test\/support\/samples|missing\(|installed\(\)/);
  });

  it("install what the program needs, and nothing that it does not", { timeout: 110_000 }, async (test) => {
    const root = join(folder, "image");
    mkdirSync(root);
    const stage = stages.find((one) => one.includes(" AS installed\n"))!;
    for (const [, copied, command] of stage.matchAll(/^(?:COPY (.+)|RUN (.+))$/gm)) {
      if (copied) {
        const [to, ...from] = copied.split(" ").toReversed() as [string, ...string[]];
        for (const path of from) cpSync(path, join(root, to === "./" ? path : to), { recursive: true });
        continue;
      }
      const { code, err } = await ranIn(root, command!.split(" "), { npm_config_prefer_offline: "true" });
      if (code === null) return test.skip("the npm registry does not answer in time");
      if (code !== 0 && NO_REGISTRY.test(err)) return test.skip("the npm registry cannot be reached");
      assert.equal(code, 0, err);
    }
    const [, words] = /^CMD (\[.*\])$/m.exec(stages.at(-1)!) ?? [];
    const [, health] = /^HEALTHCHECK (?:.*\\\n)*\s*CMD (\[.*\])$/m.exec(container) ?? [];
    const accounts = join(folder, "accounts.json");
    writeFileSync(accounts, JSON.stringify([{ name: "acme", group: "brokers", keyHash: hashOf("x") }]));
    const env = { MODE: "production", DATA_DIR: join(folder, "data"), ACCOUNTS_FILE: accounts };
    const server = run(JSON.parse(words!), env, root);
    const { port } = new URL(await urlOf(server));
    await until(async () => (await ranIn(root, JSON.parse(health!), { PORT: port })).code === 0, server.said);
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, [0, null], server.said());
  });

  it("ask for health where it is answered", async () => {
    const [, command] = /^HEALTHCHECK (?:.*\\\n)*\s*CMD (\[.*\])$/m.exec(container) ?? [];
    const [node, ...args] = JSON.parse(command!) as [string, ...string[]];
    const world = await openWorld();
    const { port } = new URL(world.url);
    const ask = () =>
      promisify(execFile)(node, args, { env: { PORT: port } }).then(
        () => 0,
        ({ code }: { readonly code: number }) => code,
      );
    assert.equal(await ask(), 0);
    await world.halt();
    assert.equal(await ask(), 1);
    rmSync(world.dataDir, { recursive: true, force: true });
    await world.database.drop();
  });
});
