import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, describe, it, type TestContext } from "node:test";
import { startWithDatabase } from "../../src/app/databaseWait.ts";
import { hashOf } from "../../src/base/secrets.ts";
import { GROUPS } from "../../src/cli/commands.ts";
import { commandReference } from "../../src/cli/reference.ts";
import { configOf, type Environment } from "../../src/config/config.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { PROCEDURE_NAMES } from "../../src/domain/procedures/names.ts";
import { auditPath } from "../../src/ops/audit.ts";
import { openLog } from "../../src/ops/log.ts";
import { assertSucceeded, parseLines, runCommand } from "../support/commands.ts";
import { bidOf, fullTender, publish, publishForBids } from "../support/examples.ts";
import { freePort } from "../support/ports.ts";
import { waitUntil } from "../support/processes.ts";
import { missingPrograms, runScript } from "../support/programs.ts";
import { readMetrics } from "../support/prometheus.ts";
import { openS3Prefix, S3_MISSING } from "../support/s3.ts";
import { blocksOf, isSkipped } from "../support/samples.ts";
import { expectStatus, openWorld, type World } from "../support/world.ts";

/** Code blocks that a reader does not run: settings of other programs, and output to look at. */

type Check = (text: string, page: string, t: TestContext) => void | Promise<void>;

const folder = mkdtempSync(join(tmpdir(), "tenderhall-apart-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const container = readFileSync("deploy/Containerfile", "utf8");

/** The checks by page and start of the block. Any other block is an error. */
const CHECKS: { readonly [block: string]: Check } = {
  "commands.md: npx --no-install tenderhall": (text) =>
    assert.ok(commandReference(GROUPS).includes(`\n${text}\`\`\`\n`)),
  "decisions/0002-order-of-commit.md:  requests ──▶": isDrawn,
  "guides/going-to-production.md: DOCUMENTS_URL=s3://": (text) => checkDocumentSettings(settingsIn(text)),
  "guides/going-to-production.md: server {": checkProxySettings,
  "guides/use-the-data.md: npx --no-install tenderhall ocds": (text) => {
    for (const [, name] of text.matchAll(/tenderhall (ocds \w+)/g))
      assert.ok(commandReference(GROUPS).includes(`tenderhall ${name}`), text);
  },
  'operations.md: {"tenderhall":1': checkExportLines,
  "operations.md: DOCUMENTS_URL='s3://": async (text, _page, t) => {
    if (missingPrograms("bash")) return t.skip(missingPrograms("bash") || "");
    const { code, output } = await runScript(text.replace("npx --no-install tenderhall serve", "env"), {
      cwd: folder,
    });
    assert.equal(code, 0, output);
    return checkDocumentSettings(settingsIn(output));
  },
  "operations.md: [Service]": checkMemorySettings,
  "operations.md: rule_files:": (text) => assert.ok(existsSync(`deploy/${/^ {2}- (\S+)$/m.exec(text)![1]}`)),
  "operations.md: scrape_configs:": checkScraping,
  'operations.md: {"time":"2026-11-16T08:00:00.123Z","level":': checkLogLines,
  'operations.md: {"time":"2026-11-16T06:00:00.123Z","level":"info"': checkWaitingLines,
  'operations.md: {"time":': checkAuditLines,
  "operations.md: useradd": checkIsDeployed,
  "operations.md: tenderhall account add-key": checkRotation,
  "operations.md: tenderhall account add": checkIsDeployed,
  "operations.md: sudo -u tenderhall tenderhall": checkIsDeployed,
  "operations.md: podman build": checkContainer,
  ...Object.fromEntries(
    [...PROCEDURE_NAMES, "auction"].map((name) => [`procedures/${name}.md: stateDiagram-v2`, isDiagram]),
  ),
  "scale.md: DATA_DIR=/tmp/million": checkSeeding,
  "scale.md:             ┌─▶ server": isDrawn,
};

describe("a block that is not meant for a reader's terminal is correct:", () => {
  const blocks = globSync("**/*.md", { cwd: "docs" })
    .toSorted()
    .flatMap((page) =>
      blocksOf(readFileSync(`docs/${page}`, "utf8"))
        .filter(isSkipped)
        .map(({ text }) => ({ page, text, name: `${page}: ${text.split("\n")[0]}` })),
    );
  for (const { page, text, name } of blocks) {
    const known = Object.keys(CHECKS).find((beginning) => name.startsWith(beginning));
    it(name.slice(0, 90), (t) => (CHECKS[known!] ?? assert.fail("nothing holds it to what it says"))(text, page, t));
  }

  it("nginx accepts its configuration", { skip: missingPrograms("nginx") }, () => {
    const [{ text }] = blocks.filter((block) => block.text.startsWith("server {")) as [(typeof blocks)[0]];
    checkWithNginx(text);
  });

  it("every check here belongs to a block on its page", () => {
    for (const beginning of Object.keys(CHECKS))
      assert.ok(
        blocks.some(({ name }) => name.startsWith(beginning)),
        beginning,
      );
  });
});

function isDrawn(text: string): void {
  assert.match(text, /──▶/);
  assert.doesNotMatch(text, /^\s*(\$|npm|npx|curl|node|export) /m);
}

/** test/diagrams.test.ts compares the page with the table of the procedure. */
function isDiagram(text: string, page: string): void {
  const drawn = [...text.matchAll(/^ *(?:state "([\w.]+)" as|([\w.]+) -->)/gm)];
  assert.ok(drawn.length > 3, page);
}

const settingsIn = (text: string): Environment =>
  Object.fromEntries(
    [...text.matchAll(/^(\w+)=(.*)$/gm)]
      .map(([, name, value]) => [name!, value!] as const)
      .filter(([name]) => /^AWS_(SECRET_)?ACCESS_KEY/.test(name) || SETTINGS.some((setting) => setting.name === name)),
  );

/** Checks settings for S3. If there is an S3 server, also stores a document with them. */
async function checkDocumentSettings(settings: Environment): Promise<void> {
  assert.deepEqual(Object.keys(settings).toSorted(), ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "DOCUMENTS_URL"]);
  const config = configOf({ DATA_DIR: folder, ...settings });
  assert.ok("port" in config && config.documents, String(config));
  if (S3_MISSING) return;
  const corner = await openS3Prefix();
  assert.deepEqual(Object.keys(corner.environment).toSorted(), Object.keys(settings).toSorted());
  const world = await openWorld(corner.environment);
  try {
    const { path, token } = await publish(world.api("2.3"), fullTender(world.clock.now));
    expectStatus(201, await world.api("2.3").upload(`${path}/documents`, { name: "a", content: "a" }, { token }));
    assert.ok((await corner.names()).length > 0);
  } finally {
    await world.stop();
    await corner.clean();
  }
}

const fallbackOf = (name: string): string =>
  (SETTINGS.find((setting) => setting.name === name) ?? assert.fail(`${name} is no setting`)).fallback ?? "";
const UNITS: { readonly [unit: string]: number } = { k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

function checkProxySettings(text: string, page: string): void {
  const directives = new Map(
    [...text.matchAll(/^ +(\w+) (?:(Host|X-Forwarded-For) )?([^;{}\n]+);$/gm)].map(
      ([, name, header = "", value]) => [`${name} ${header}`.trim(), value!] as const,
    ),
  );
  const { HOST, PORT } = settingsIn(
    blocksOf(readFileSync(`docs/${page}`, "utf8")).find(({ note }) => note === "settings.env")!.text,
  );
  assert.equal(directives.get("proxy_pass"), `http://${HOST}:${PORT}`);
  assert.equal(directives.get("proxy_set_header Host"), "$host");
  // nginx appends to the header, and TRUST_PROXY counts from its end.
  assert.equal(directives.get("proxy_set_header X-Forwarded-For"), "$proxy_add_x_forwarded_for");
  for (const buffering of ["proxy_buffering", "proxy_request_buffering"])
    assert.equal(directives.get(buffering), "off");
  assert.ok(Number.parseInt(directives.get("proxy_read_timeout")!, 10) > Number(fallbackOf("STREAM_BEAT_SECONDS")));
  const [, size, unit] = /^(\d+)([kmg])$/.exec(directives.get("client_max_body_size")!)!;
  assert.ok(Number(size) * UNITS[unit!]! > Number(fallbackOf("FILE_BYTES_MAX")), "a form is larger than its file");
}

function checkWithNginx(text: string): void {
  const file = join(folder, "nginx.conf");
  // Without root, nginx cannot write to its default folders.
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  // There is no certificate here, and ports below 1024 need root.
  const server = text
    .replaceAll(/^ +(listen \[.*|ssl_certificate.*)\n/gm, "")
    .replace("listen 443 ssl;", "listen 8443;");
  assert.match(server, /listen 8443;/);
  writeFileSync(
    file,
    `pid ${folder}/nginx.pid; error_log ${folder}/nginx.log; events {} http { access_log off; ${temporary.join(" ")} ${server} }`,
  );
  const { status, stderr } = spawnSync("nginx", ["-t", "-c", file, "-p", folder], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
}

/** Checks that the block changes only what the unit sets. */
function checkMemorySettings(text: string): void {
  const unit = readFileSync("deploy/tenderhall.service", "utf8");
  const names = [...text.matchAll(/^(\w+=(?:\w+=)?)/gm)].map(([, name]) => name!);
  assert.deepEqual(names, ["MemoryMax=", "Environment=NODE_OPTIONS="]);
  for (const name of names) assert.ok(unit.includes(`\n${name}`), name);
}

/** Prometheus on this machine needs no key; a remote one sends a key of the group metrics as the user name. */
async function checkScraping(text: string): Promise<void> {
  assert.match(text, /^scrape_configs:\n {2}- job_name: \w+\n/);
  const [, target] = /^ {4}static_configs: \[\{ targets: \["([\w.:]+)"\] \}\]$/m.exec(text)!;
  const [, user, password] = /^ {4}basic_auth: \{ username: (\S+), password: "(.*)" \}$/m.exec(text) ?? [];
  const deployed = settingsIn(readFileSync("deploy/settings.env", "utf8"));
  const isNear = user === undefined;
  assert.equal(target, isNear ? `${deployed.HOST}:${deployed.PORT}` : new URL(deployed.PUBLIC_URL!).host);
  assert.equal(text.includes("\n    scheme: https\n"), !isNear);
  const accounts = join(folder, "scraped.json");
  const admin = { name: "prometheus", group: "metrics", keyHash: hashOf(user ?? "a key") };
  writeFileSync(accounts, JSON.stringify([admin]));
  const world = await openWorld({ MODE: "production", ACCOUNTS_FILE: accounts });
  try {
    const far = { "X-Forwarded-For": "192.0.2.7" };
    const scrape = (headers: { readonly [name: string]: string }) => fetch(`${world.url}/metrics`, { headers });
    const response = await scrape(isNear ? {} : { ...far, Authorization: `Basic ${btoa(`${user}:${password}`)}` });
    assert.equal(response.status, 200);
    readMetrics(await response.text());
    assert.notEqual((await scrape(far)).status, 200);
  } finally {
    await world.stop();
  }
}

type Line = { readonly [name: string]: unknown };
const shown = (text: string): readonly Line[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line.replaceAll("{...}", "{}")));
const typesOf = (line: Line): Line =>
  Object.fromEntries(Object.entries(line).map(([name, value]) => [name, typeof value]));

/** Asserts that each line of the block has the fields and types of a real line. */
function assertShown(text: string, came: readonly Line[], sort: (line: Line) => unknown): void {
  for (const line of shown(text)) {
    const real = came.filter((entry) => sort(entry) === sort(line)).map(typesOf);
    assert.ok(
      real.some((types) => JSON.stringify(types) === JSON.stringify(typesOf(line))),
      `${JSON.stringify(line)}\nis none of\n${real.map((types) => JSON.stringify(types)).join("\n")}`,
    );
  }
}

const environmentOf = (world: World): Environment => ({ DATA_DIR: world.dataDir, ...world.database.environment });

async function checkExportLines(text: string): Promise<void> {
  const world = await openWorld();
  try {
    const { path } = await publish(world.api("2.3"), fullTender(world.clock.now));
    world.clock.forward(7 * 24 * 3600 * 1_000_000);
    expectStatus(200, await world.api("2.3").get(path));
    const came = parseLines(assertSucceeded(await runCommand(["export"], environmentOf(world))).out);
    assertShown(text, came, ({ act, holds, lines }) => act ?? holds ?? typeof lines);
  } finally {
    await world.stop();
  }
}

async function checkWaitingLines(text: string): Promise<void> {
  const DATABASE_URL = `postgres://127.0.0.1:${await freePort()}/none`;
  const config = configOf({ DATA_DIR: folder, PORT: "0", DATABASE_URL, DATABASE_WAIT_SECONDS: "1" });
  assert.ok("port" in config);
  let logged = "";
  const log = openLog(
    (lines) => {
      logged += lines;
    },
    { info: true },
  );
  await assert.rejects(
    startWithDatabase(config, async () => {}, { log, listens: true }),
    /after \d+ seconds of waiting/,
  );
  log.flush();
  assertShown(text, parseLines(logged), ({ what: description }) => description);
}

async function checkAuditLines(text: string): Promise<void> {
  const accounts = join(folder, "audited.json");
  const keyOf = (name: string, group: string) => ({
    ...{ name, group, keyHash: hashOf(`a key of ${name}`) },
    ...(group === "brokers" && { levels: "12" }),
  });
  const all = [keyOf("broker", "brokers"), keyOf("chronograph", "chronograph")];
  writeFileSync(accounts, JSON.stringify(all));
  const world = await openWorld({ MODE: "production", ACCOUNTS_FILE: accounts });
  const came = (): readonly Line[] => parseLines(readFileSync(auditPath(world.dataDir), "utf8"));
  try {
    const environment = { ...environmentOf(world), MODE: "production", ACCOUNTS_FILE: accounts };
    const sent = { key: "a key of broker" };
    const { id } = (await world.api("2.5").post("/tenders", fullTender(world.clock.now), sent)).body.data;
    await world.api("2.5").patch(`/tenders/${id}`, { title: "x" }, { key: "a key of chronograph" });
    const file = join(folder, "tender.json");
    writeFileSync(
      file,
      assertSucceeded(await runCommand(["tender", "show", id, "--raw"], environment)).out.replace(
        /"title": ?"[^"]*"/,
        '"title":"y"',
      ),
    );
    assertSucceeded(await runCommand(["tender", "replace", id, "--from", file, "--reason", "ticket 17"], environment));
    assertSucceeded(await runCommand(["backup", join(folder, "audited")], environment));
    writeFileSync(accounts, JSON.stringify([...all, keyOf("acme", "brokers")]));
    await waitUntil(
      () => came().some(({ via }) => via === "accounts file"),
      () => "the accounts to be read",
    );
    assertShown(text, came(), ({ via, act }) => `${via} ${String(act).replace(/ [^ ]*$/, "")}`);
  } finally {
    await world.stop();
  }
}

async function checkLogLines(text: string): Promise<void> {
  const world = await openWorld({ LOG_ADDRESSES: "on" });
  try {
    const api = world.api("2.5");
    const { path, token } = await publishForBids(world);
    await api.patch(path, { title: "x" }, { token });
    expectStatus(201, await api.post(`${path}/bids`, bidOf(400_000)));
    await waitUntil(() => /\/bids"/.test(world.logText()), world.logText);
    const kindOf = ({ method, path: requestPath }: Line) =>
      `${method} ${String(requestPath).replace(/[0-9a-f]{32}|0b2e\.\.\./, "T")}`;
    assertShown(text, parseLines(world.logText()), kindOf);
  } finally {
    await world.stop();
  }
}

async function checkRotation(text: string): Promise<void> {
  const ACCOUNTS_FILE = join(folder, "rotated.json");
  const runAccount = async (args: string) => assertSucceeded(await runCommand(args.split(" "), { ACCOUNTS_FILE })).out;
  const { key } = JSON.parse(await runAccount("account add acme --levels 12 --json"));
  for (const line of text.trim().split("\n"))
    await runAccount(line.replace(/^tenderhall /, "").replace(/ [0-9a-f]{12}$/, ` ${hashOf(key).slice(0, 12)}`));
  const listed = parseLines(await runAccount("account keys acme --json"));
  assert.deepEqual(
    listed.map(({ retiredAt }) => retiredAt !== undefined),
    [true, false],
  );
}

/** test/packing/deploy.test.ts runs everything below these headings in order. */
function checkIsDeployed(text: string, page: string): void {
  const sections = readFileSync(`docs/${page}`, "utf8").split(/^# /m);
  const below = sections.filter((part) => /^(Deploying|A new version)\n/.test(part));
  assert.equal(below.length, 2);
  assert.ok(below.some((part) => part.includes(`\n\`\`\`text\n${text}\`\`\`\n`)));
}

/** test/packing/deploy.test.ts replays the stages; this checks that the commands match the Containerfile. */
function checkContainer(text: string): void {
  assert.ok(container.includes(text.replaceAll(/^(?=.)/gm, "#   ")), "the file tells the same");
  const [, file, tag] = /^podman build -f (\S+) -t (\S+) \.$/m.exec(text)!;
  assert.equal(readFileSync(file!, "utf8"), container);
  const [run] = /^podman run (?:.*\\\n)*.*$/m.exec(text)!;
  assert.ok(run.endsWith(` ${tag}`));
  const [, port] = /^EXPOSE (\d+)$/m.exec(container)!;
  assert.ok(run.includes(` -p 127.0.0.1:${port}:${port} `));
  const volumes = [...run.matchAll(/ -v [^\s:]+:([^\s:]+)/g)].map(([, inside]) => inside);
  const [, volume] = /^VOLUME (\S+)$/m.exec(container)!;
  assert.deepEqual(volumes, [volume, /ACCOUNTS_FILE=(\S+)/.exec(container)![1]]);
  for (const [, name] of run.matchAll(/ -e (\w+)=/g)) fallbackOf(name!);
  const [, name, command] = /^podman exec (\S+) (\S+) doctor$/m.exec(text)!;
  assert.ok(run.includes(` --name ${name} `) && container.includes(`CMD ["${command}", "serve"]`));
}

/** Seeds a few tenders instead of a million, and checks that the bench has the options. */
async function checkSeeding(text: string, _page: string, t: TestContext): Promise<void> {
  if (missingPrograms("bash")) return t.skip(missingPrograms("bash") || "");
  const [seed, bench] = text.trim().split("\n") as [string, string];
  const seeded = join(folder, "seeded");
  const command = seed.replace("/tmp/million", seeded).replace("1000000", "20");
  const { code, output } = await runScript(`cd '${resolve(".")}'\n${command}`, { cwd: folder });
  assert.equal(code, 0, output);
  const world = await runScript(`cd '${resolve(".")}'\nnpm run -s bench -- --help`, { cwd: folder });
  assert.match(bench, /^npm run bench -- --only seeded --seeded \/tmp\/million \[--seeded-url postgres:\/\/\.\.\.\]$/);
  for (const [option] of bench.matchAll(/--[\w-]+(?= )/g))
    if (option !== "--") assert.match(world.output, new RegExp(`^ +${option} `, "m"));
  assert.match(world.output, /seeded/);
  const { out } = assertSucceeded(await runCommand(["export"], { DATA_DIR: seeded }));
  const tenders = new Set(parseLines(out).flatMap(({ tender }) => tender ?? []));
  assert.equal(tenders.size, 20);
}
