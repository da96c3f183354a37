import assert from "node:assert/strict";
import { existsSync, globSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { NODE_PACKAGE } from "../../scripts/nodeBinary.mjs";
import { hashOf } from "../../src/base/secrets.ts";
import type { Environment } from "../../src/config/config.ts";
import { openProcesses, type RunningProcess, TIMEOUT_MS, urlOf, waitUntil } from "../support/processes.ts";
import { bodyBytesInFlight } from "../support/prometheus.ts";

/** How the server process starts, what it prints, and how it exits. */

const NODE = [process.execPath, "--disable-warning=ExperimentalWarning", "src/main.ts"];
const NPM = ["npm", "start"];
const { folder, run: runIn } = openProcesses("process");

let folders = 0;
const newFolder = (): string => join(folder, String(++folders));

const run = (command: readonly string[], environment: Environment = {}): RunningProcess =>
  runIn(command, { DATA_DIR: newFolder(), ...environment });

const responds = (url: string): Promise<boolean> =>
  fetch(`${url}/health`, { headers: { Connection: "close" } }).then(
    async (response) => (await response.text()) !== "",
    () => false,
  );

const BODY = '{"data": {}}';

/** Sends half of a request; `finish` sends the rest and returns the response. */
async function stall(url: string) {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  after(() => socket.destroy());
  let received = "";
  socket
    .on("error", () => {})
    .on("data", (chunk) => {
      received += chunk;
    });
  const type = "Content-Type: application/json\r\nAuthorization: Bearer broker";
  const before = await bodyBytesInFlight(url);
  const head = `POST /api/2.3/tenders HTTP/1.1\r\nHost: here\r\n${type}\r\nContent-Length: ${BODY.length}`;
  socket.write(`${head}\r\n\r\n${BODY.slice(0, 5)}`);
  await waitUntil(
    async () => (await bodyBytesInFlight(url)) > before,
    () => "half a body to arrive",
  );
  const finish = async () => {
    socket.write(BODY.slice(5));
    await waitUntil(
      () => received !== "",
      () => "the response",
    );
    return received;
  };
  return { finish };
}

const failed = async (environment: Environment): Promise<string> => {
  const { ended, output } = run(NODE, environment);
  assert.deepEqual(await ended, [1, null], output());
  assert.match(output(), /^Tenderhall cannot start:\n( {2}- .*\n)+npm start -- --help lists every setting\.\n$/);
  return output();
};

describe("a server that gets a signal", { concurrency: true }, () => {
  it("exits if only npm gets the signal", { timeout: TIMEOUT_MS }, async () => {
    const npm = run(NPM);
    const url = await urlOf(npm);
    assert.ok(await responds(url));
    npm.child.kill("SIGTERM");
    await waitUntil(async () => !(await responds(url)), npm.output);
  });

  it("waits for a stalled client, but not forever", { timeout: TIMEOUT_MS }, async () => {
    const server = run(NODE, { SHUTDOWN_SECONDS: "1" });
    await stall(await urlOf(server));
    const signalledAt = performance.now();
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, [0, null]);
    const waited = performance.now() - signalledAt;
    assert.ok(waited > 900, `${waited} ms`);
    assert.doesNotMatch(server.output(), /"level":"error"/);
  });

  it("exits at once on a second signal, but treats a duplicate Ctrl-C as one", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const server = run(NODE);
    const url = await urlOf(server);
    const [first] = [await stall(url), await stall(url)];
    // The operating system may merge two equal pending signals, and the server treats both signals alike.
    server.child.kill("SIGINT");
    server.child.kill("SIGTERM");
    await waitUntil(() => server.output().includes("stopping"), server.output);
    assert.match(await first.finish(), /^HTTP\/1\.1 201 /);
    assert.equal(server.child.exitCode, null);
    await waitUntil(() => {
      server.child.kill("SIGTERM");
      return server.child.exitCode !== null;
    }, server.output);
    assert.deepEqual(await server.ended, [1, null]);
  });
});

describe("a server that starts", { concurrency: true }, () => {
  it("makes its data accessible to its own user only", { timeout: TIMEOUT_MS }, async () => {
    const dataDir = join(newFolder(), "deep");
    const server = run(NODE, { DATA_DIR: dataDir });
    const url = await urlOf(server);
    const key = { Authorization: "Bearer broker" };
    const send = (path: string, headers: { readonly [name: string]: string }, body: string | FormData) =>
      fetch(`${url}/api/2.3${path}`, { method: "POST", headers: { ...key, ...headers }, body });
    const made = await send("/tenders", { "Content-Type": "application/json" }, '{"data": {}}');
    const { data, access } = (await made.json()) as { data: { id: string }; access: { token: string } };
    const form = new FormData();
    form.append("file", new Blob(["x"]), "x.txt");
    assert.equal((await send(`/tenders/${data.id}/documents?acc_token=${access.token}`, {}, form)).status, 201);
    const inside = globSync("**", { cwd: dataDir }).map((name) => join(dataDir, name));
    assert.ok(inside.some((path) => /files\/..\/..\/[0-9a-f]{32}$/.test(path)));
    assert.ok(inside.some((path) => path.endsWith("tenderhall.sqlite")));
    assert.equal(statSync(dataDir).mode & 0o777, 0o700);
    for (const path of inside) assert.equal(statSync(path).mode & 0o077, 0, path);
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, [0, null]);
  });

  const accountsFile = (...accounts: readonly { readonly key: string; readonly levels?: string }[]): string => {
    const file = `${newFolder()}.json`;
    const entries = accounts.map(({ key, ...rest }, i) => ({
      name: `a${i}`,
      group: "brokers",
      levels: "1234",
      keyHash: hashOf(key),
      ...rest,
    }));
    writeFileSync(file, JSON.stringify(entries));
    return file;
  };

  const welcomeOf = async (environment: Environment): Promise<string> => {
    const server = run(NODE, { LOG: "off", ...environment });
    await waitUntil(() => server.output().includes("in a browser"), server.output);
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, [0, null]);
    return server.output();
  };

  it("prints working keys and a working first request", { timeout: TIMEOUT_MS }, async () => {
    const usual = await welcomeOf({});
    assert.match(usual, /broker05 .*\n.*chronograph .*curl -u broker: .*\/api\/2\.5\/tenders/s);
    const none = await welcomeOf({ ACCOUNTS_FILE: accountsFile({ key: "a secret" }) });
    assert.doesNotMatch(none, /broker|chronograph|curl/);
    const bidder = await welcomeOf({ ACCOUNTS_FILE: accountsFile({ key: "broker", levels: "2" }) });
    assert.match(bidder, /broker +brokers +levels 2\n/);
    assert.doesNotMatch(bidder, /broker1|curl/);
    const file = accountsFile({ key: "broker1", levels: "1t" }, { key: "broker2", levels: "12" });
    assert.match(await welcomeOf({ ACCOUNTS_FILE: file }), /curl -u broker2: /);
  });

  it("prints its address in production too, whatever LOG is", { timeout: TIMEOUT_MS }, async () => {
    const file = accountsFile({ key: "a secret" });
    for (const LOG of ["on", "off"]) {
      const server = run(NODE, { MODE: "production", ACCOUNTS_FILE: file, LOG });
      const url = await urlOf(server);
      assert.ok(await responds(url));
      assert.equal(server.output().split("listening").length, 2);
      server.child.kill("SIGTERM");
      assert.deepEqual(await server.ended, [0, null]);
    }
  });
});

describe("a server that cannot start", { concurrency: true }, () => {
  it("reports all invalid settings at once", { timeout: TIMEOUT_MS }, async () => {
    const output = await failed({ DATA_DIR: "package.json", HOST: "no.such.invalid", TRUST_PROXY: "yes", PORT: "x" });
    for (const name of ["DATA_DIR package.json", "HOST no.such.invalid cannot be resolved", "TRUST_PROXY", "PORT"])
      assert.ok(output.includes(`  - ${name}`), `${name} is missing:\n${output}`);
  });

  it("names the setting whose folder, port or host cannot be used", { timeout: TIMEOUT_MS }, async () => {
    const DATA_DIR = newFolder();
    const first = run(NODE, { DATA_DIR });
    const { port } = new URL(await urlOf(first));
    assert.match(await failed({ DATA_DIR }), / {2}- DATA_DIR .*another server/);
    assert.match(await failed({ PORT: port }), new RegExp(` {2}- PORT ${port} is taken`));
    assert.match(await failed({ HOST: "203.0.113.9", SANDBOX_PUBLIC: "1" }), / {2}- HOST 203\.0\.113\.9 is not an/);
    const broken = newFolder();
    mkdirSync(broken);
    writeFileSync(join(broken, "tenderhall.sqlite"), "This is no database at all. ".repeat(100));
    assert.match(await failed({ DATA_DIR: broken }), / {2}- DATA_DIR .*not a database/);
    writeFileSync(join(broken, "server.lock"), "This is no database either. ".repeat(100));
    assert.match(await failed({ DATA_DIR: broken }), / {2}- DATA_DIR .*not a database/);
    first.child.kill("SIGTERM");
    assert.deepEqual(await first.ended, [0, null]);
  });
});

describe("a missing dependency", { concurrency: true }, () => {
  /** A project of one line, whose npm notes how it was called, waits until it is allowed to install, and then has everything. */
  function newProject() {
    const root = newFolder();
    mkdirSync(join(root, "scripts"), { recursive: true });
    writeFileSync(join(root, "package-lock.json"), "{}");
    writeFileSync(join(root, "hello.mjs"), 'console.log("hello")');
    writeFileSync(
      join(root, "npm.js"),
      `const { appendFileSync, existsSync, mkdirSync, rmSync, symlinkSync } = require("node:fs");
       appendFileSync("calls", process.argv.slice(2).join(" ") + "\\n");
       rmSync("node_modules", { recursive: true, force: true });
       const waiting = setInterval(() => {
         if (!existsSync("go")) return;
         clearInterval(waiting);
         if (process.env.WITHOUT_NODE) return;
         mkdirSync("node_modules/${NODE_PACKAGE}/bin", { recursive: true });
         symlinkSync(process.execPath, "node_modules/${NODE_PACKAGE}/bin/node");
       }, 10);`,
    );
    // A copy, because the script finds its project by its own location.
    for (const name of ["run.mjs", "nodeBinary.mjs"])
      writeFileSync(join(root, "scripts", name), readFileSync(join("scripts", name)));
    const start = (environment: Environment = {}) =>
      run([process.execPath, join(root, "scripts/run.mjs"), join(root, "hello.mjs")], {
        npm_execpath: join(root, "npm.js"),
        ...environment,
      });
    const calls = () => (existsSync(join(root, "calls")) ? readFileSync(join(root, "calls"), "utf8") : "");
    const letInstall = () => writeFileSync(join(root, "go"), "");
    return { start, calls, letInstall, lock: join(root, ".installing") };
  }

  it("is installed once, with the test dependencies, however many processes start at once", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { start, calls, letInstall, lock } = newProject();
    const all = [start({ NODE_ENV: "production" }), start(), start()];
    const isWaiting = ({ output }: RunningProcess) => output().includes("waiting");
    await waitUntil(
      () => all.filter(isWaiting).length === 2,
      () => all.map(({ output }) => output()).join(),
    );
    letInstall();
    for (const { ended, output: said } of all) {
      assert.deepEqual(await ended, [0, null], said());
      assert.match(said(), /^hello$/m);
    }
    assert.equal(calls(), "ci --include=dev --no-audit --no-fund\n");
    assert.ok(!existsSync(lock));
  });

  it("is reported if npm omits the Node of this platform", { timeout: TIMEOUT_MS }, async () => {
    const { start, letInstall } = newProject();
    letInstall();
    const { ended, output } = start({ WITHOUT_NODE: "1" });
    assert.deepEqual(await ended, [1, null]);
    assert.match(
      output(),
      new RegExp(`^The package ${NODE_PACKAGE}, the Node that runs Tenderhall, is not installed`, "m"),
    );
    assert.doesNotMatch(output(), /hello/);
  });

  it("is installed after a start that was interrupted during installation", { timeout: TIMEOUT_MS }, async () => {
    const { start, calls, letInstall, lock } = newProject();
    const broken = start();
    await waitUntil(() => calls() !== "", broken.output);
    broken.child.kill("SIGTERM");
    assert.deepEqual(await broken.ended, [1, null]);
    assert.ok(!existsSync(lock));
    mkdirSync(lock);
    const longAgo = new Date(Date.now() - 11 * 60_000);
    utimesSync(lock, longAgo, longAgo);
    letInstall();
    const next = start();
    assert.deepEqual(await next.ended, [0, null], next.output());
    assert.ok(!existsSync(lock));
  });

  it("is awaited while another process installs it", { timeout: TIMEOUT_MS }, async () => {
    const { start, calls, lock } = newProject();
    mkdirSync(lock);
    const waiting = start();
    await waitUntil(() => waiting.output().includes("waiting"), waiting.output);
    waiting.child.kill("SIGINT");
    assert.deepEqual(await waiting.ended, [1, null]);
    assert.equal(calls(), "");
    assert.ok(existsSync(lock), "it took away what another held");
  });
});
