import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { COMMANDS } from "../../src/cli/commands.ts";
import type { Environment } from "../../src/config/config.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { copyCheckout } from "../support/installedProject.ts";
import { freePort } from "../support/ports.ts";
import { openProcesses } from "../support/processes.ts";
import { missingPrograms, NO_REGISTRY, PLAIN_PATH, PROGRAMS, plainEnvironment } from "../support/programs.ts";
import { openWorld } from "../support/world.ts";

/** There is neither a container engine nor systemd here, so this runs their commands and checks the names in their files. */

const read = (name: string): string => readFileSync(`deploy/${name}`, "utf8");
const container = read("Containerfile");
const UNITS = ["tenderhall.service", "tenderhall-backup.service", "tenderhall-backup.timer"];
const [unit, backupUnit] = UNITS.map(read) as [string, string];
const settings = read("settings.env");
const operations = readFileSync("docs/operations.md", "utf8");
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  scripts: { readonly [name: string]: string };
};
const started = (unitText: string) => [...unitText.matchAll(/^ExecStart=(.+)$/gm)].map(([, line]) => line!);
const stages = container.split(/^FROM /m).slice(1);
const { folder } = openProcesses("deploy");

function ranIn(cwd: string, [command = "", ...args]: readonly string[], more: Environment = {}) {
  const env = { ...plainEnvironment(), ...more };
  // In its own process group, so that a timeout ends npm together with its children.
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

const PATIENCE_MS = 200_000;

/** Folders of a machine, all of which are below one folder here. */
const PLACES = /(?<=[\s='])(\/(?:opt|etc|var\/lib|backup|usr\/local)\b)/g;

const blocksBelow = (title: string): readonly string[] => {
  const [, chapter = ""] = new RegExp(`^# ${title}\\n(.*?)(?=^# (?!\\w+=))`, "ms").exec(operations) ?? [];
  const blocks = [...chapter.matchAll(/^```text\n(.*?)^```$/gms)].map(([, block]) => block!);
  assert.ok(blocks.length > 0, title);
  return blocks;
};

/** Replacements for commands that only root and systemd can run. Here one user has all roles. */
const systemdAt = (root: string, health: string): string => `
  useradd() { :; }
  chgrp() { :; }
  sudo() { shift 2; "$@"; }
  install() { local words=(); while [ $# -gt 0 ]; do case $1 in -o|-g) shift 2 ;; *) words+=("$1"); shift ;; esac; done; command install "\${words[@]}"; }
  become() { set -a; . ${root}/etc/tenderhall/settings.env; exec "$@"; }
  SERVER=
  trap '[ -z "$SERVER" ] || kill $SERVER' EXIT
  systemctl() {
    case $1 in
      enable|start)
        become $(sed -n 's/^ExecStart=//p' ${root}/etc/systemd/system/tenderhall.service) & SERVER=$!
        for _ in $(seq 300); do ${health} && return; sleep 0.1; done
        return 1 ;;
      stop) kill $SERVER; wait $SERVER; SERVER= ;;
    esac
  }
`;

describe("the files in deploy", () => {
  it("name only settings, commands and npm scripts that exist", () => {
    const known = [...SETTINGS.map(({ name }) => name), "TENDERHALL_URL"];
    const inSettings = [...settings.matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
    const [, variables = ""] = /^ENV ((?:.*\\\n)*.*)$/m.exec(container) ?? [];
    const inContainer = [...variables.matchAll(/(\w+)=/g)].map(([, name]) => name!);
    assert.ok(inSettings.length > 5 && inContainer.length > 4);
    for (const name of [...inSettings, ...inContainer]) assert.ok(known.includes(name), name);
    for (const [, named, usual] of container.matchAll(/npm (?:run ([\w:]+)|(start))/g))
      assert.ok(scripts[(named ?? usual)!], String(named));
    for (const line of [...started(unit), ...started(backupUnit)])
      assert.ok(
        COMMANDS.some(({ name }) => line.split(" ")[1] === name),
        line,
      );
  });

  it("run the same command of the same installed package", () => {
    const command = "node_modules/.bin/tenderhall";
    assert.deepEqual(started(unit), [`/opt/tenderhall/${command} serve`]);
    assert.ok(started(backupUnit).every((line) => line.startsWith(`/opt/tenderhall/${command} `)));
    assert.ok(read("tenderhall").endsWith(`\nexec /opt/tenderhall/${command} "$@"\n`));
    assert.ok(container.endsWith(`\nCMD ${JSON.stringify([command, "serve"]).replace(",", ", ")}\n`));
    // The image runs the same command as the units.
    const unpack = "tar -xzf tenderhall-*.tgz --strip-components=3 package/dist/install";
    for (const line of [unpack, "npm ci --ignore-scripts --loglevel=error"]) {
      assert.ok(container.includes(`\nRUN ${line}\n`), line);
      assert.ok(operations.includes(`\n${line}\n`), line);
    }
    // Without a lock file, an installation would take whatever the registry offers.
    for (const text of [container, operations]) assert.doesNotMatch(text, /^(RUN )?npm (i|install)\b/m);
    for (const unitText of [unit, backupUnit])
      assert.ok(unitText.includes("\nEnvironmentFile=/etc/tenderhall/settings.env\n"));
  });

  it("run it as a non-root user that can write only to its data", () => {
    const [, user] = /^USER (\S+)$/m.exec(stages.at(-1)!) ?? [];
    assert.ok(user && user !== "root" && user !== "0");
    for (const line of ["User=tenderhall", "NoNewPrivileges=yes", "ProtectSystem=strict", "StateDirectory=tenderhall"])
      assert.ok(unit.includes(`\n${line}\n`), line);
  });

  it("are valid for systemd", { skip: missingPrograms("systemd-analyze") }, () => {
    const files = UNITS.map((name) => join(folder, name));
    // A test below checks that the started programs exist.
    UNITS.map(read).forEach((text, i) => {
      writeFileSync(files[i]!, text.replaceAll(/^(ExecStart=)\S+/gm, `$1${process.execPath}`));
    });
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", ...files], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
    assert.doesNotMatch(stderr, /tenderhall[\w-]*\.(service|timer):/);
  });

  it("give the services few privileges, as measured by systemd", {
    skip: missingPrograms("systemd-analyze"),
  }, () => {
    for (const name of UNITS.filter((unitName) => unitName.endsWith(".service"))) {
      const how = ["security", "--offline=true", "--threshold=20", join("deploy", name)];
      const { status, stdout, stderr } = spawnSync("systemd-analyze", how, { encoding: "utf8" });
      assert.equal(status, 0, `${stdout.slice(-200)}${stderr}`);
    }
  });

  it("limit the memory of each service, and the heap of Node below that", () => {
    for (const unitText of [unit, backupUnit]) {
      const [, gigabytes] = /^MemoryMax=(\d+)G$/m.exec(unitText) ?? [];
      const [, megabytes] = /^Environment=NODE_OPTIONS=--max-old-space-size=(\d+)$/m.exec(unitText) ?? [];
      assert.ok(Number(megabytes) * 2 <= Number(gigabytes) * 1024, `${megabytes} of ${gigabytes}`);
    }
    const heap = /NODE_OPTIONS=(\S+)/.exec(unit)![1]!;
    const { stdout } = spawnSync(
      process.execPath,
      ["-p", "require('node:v8').getHeapStatistics().heap_size_limit / 2 ** 20"],
      { encoding: "utf8", env: { NODE_OPTIONS: heap } },
    );
    assert.ok(Number(stdout) < 1.5 * 1024, stdout);
  });

  it("build an image only of a checked version, unless a build argument says otherwise", () => {
    const [, copied] = /^COPY --from=verdict (\S+) \S+$/m.exec(stages.at(-1)!) ?? [];
    const [checked] = stages.filter((stage) => stage.includes(" AS checked\n"));
    assert.ok(copied && checked?.includes(`RUN npm run check && touch ${copied}\n`));
    assert.match(container.split(/^FROM /m)[0]!, /^ARG CHECK=checked$/m);
    assert.match(container, /^FROM \$\{CHECK\} AS verdict$/m);
  });

  it("install the programs that tests need, except those whose tests are skipped without them", () => {
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
    for (const { file, name } of called.filter((call) => !["node", "npm", "npx", "sh"].includes(call.name))) {
      assert.ok(name in PROGRAMS, `${file} calls ${name}`);
      // The tests that call this program check that it exists.
      const looks = file === "test/support/programs.ts" || readFileSync(file, "utf8").includes("missingPrograms(");
      assert.ok(looks, `${file} does not say why it is skipped where there is no ${name}`);
    }
    for (const file of tests.filter((path) => /\brun(Script|Samples)\(/.test(readFileSync(path, "utf8"))))
      assert.match(
        `${file} ${readFileSync(file, "utf8")}`,
        /^test\/support\/samples|missingPrograms\(|installByStep\(/,
      );
  });

  it("are installed, run, backed up and upgraded as the operations page says", {
    timeout: 240_000,
  }, async (test) => {
    const root = join(folder, "machine");
    const PORT = String(await freePort());
    const moved = (text: string) => text.replaceAll(PLACES, `${root}$1`).replaceAll(/\b8090\b/g, PORT);
    for (const place of ["usr/local/bin", "etc/systemd/system", "backup"])
      mkdirSync(join(root, place), { recursive: true });
    copyCheckout(join(root, "checkout"));
    for (const name of [...UNITS, "settings.env", "tenderhall"])
      writeFileSync(join(root, "checkout/deploy", name), moved(read(name)));
    const [, health] = /^HEALTHCHECK (?:.*\\\n)*\s*CMD (\[.*\])$/m.exec(container) ?? [];
    const words = (JSON.parse(health!) as readonly string[]).map((word) => `'${word}'`).join(" ");
    const text = (title: string) => moved(blocksBelow(title).join("")).replaceAll("~/tenderhall", `${root}/checkout`);
    const script = `${systemdAt(root, `(cd ${root}/opt/tenderhall && PORT=${PORT} ${words})`)}
      ${text("Deploying").replace(/^podman(.*\\\n)*.*$/gm, "")}
      ${started(moved(backupUnit))
        .map((line) => `( become ${line} )`)
        .join("\n")}
      ${text("A new version").replace(/tenderhall-[\d.]+\.tgz/, "tenderhall-*.tgz")}
      systemctl stop tenderhall
      echo "all is done"`;
    const { code, err } = await ranIn(root, ["bash", "-eu", "-o", "pipefail", "-c", script], {
      npm_config_prefer_offline: "true",
      PATH: `${root}/usr/local/bin:${PLAIN_PATH}`,
    });
    if (code === null) return test.skip("the npm registry does not answer in time");
    if (code !== 0 && NO_REGISTRY.test(err)) return test.skip("the npm registry cannot be reached");
    assert.equal(code, 0, err);
    assert.match(err, /No problems found\..*"what":"stopping".*No problems found\..*all is done\n$/s);
    assert.equal(statSync(join(root, "etc/tenderhall/accounts.json")).mode & 0o777, 0o640);
  });

  it("probe the health endpoint that exists, and can be downloaded from the documentation", async () => {
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
    // The same server serves the files that the page links.
    const page = await (await fetch(`${world.url}/docs/operations`)).text();
    for (const name of readdirSync("deploy")) {
      const [, href = ""] = new RegExp(`href="([^"]*/${RegExp.escape(name)}\\?[^"]*)"`).exec(page) ?? [];
      const shown = await fetch(new URL(href, world.url));
      assert.equal(shown.headers.get("Content-Type"), "text/plain; charset=UTF-8", name);
      assert.equal(await shown.text(), read(name));
    }
    await world.halt();
    assert.equal(await ask(), 1);
    rmSync(world.dataDir, { recursive: true, force: true });
    await world.database.drop();
  });
});
