import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { openSchema } from "../support/engines.ts";
import { bidOf, fullTender, publish } from "../support/examples.ts";
import { type InstalledProject, installByStep } from "../support/installedProject.ts";
import { missingPrograms } from "../support/programs.ts";
import { runSamples, type Sample, type SampleContext, samplesOf } from "../support/samples.ts";
import { openWorld, type World } from "../support/world.ts";

/** Pages whose samples are checked below or by commands.test.ts. */
const NOT_RUN_HERE = ["errors.md", "client.md", "commands.md"];
const pages = globSync("**/*.md", { cwd: "docs" })
  .filter((file) => !NOT_RUN_HERE.includes(file))
  .toSorted();

const DATABASE = "postgres://user:password@host/database";

const samplesToRun = (file: string): readonly Sample[] => samplesOf(readFileSync(`docs/${file}`, "utf8"));

/** Step 0 of a guide installs the client and the command in an empty folder. */
const installs = ({ text }: Sample): boolean => text.startsWith("npm pack ");
const needsIt = ({ text }: Sample): boolean =>
  /npx --no-install tenderhall|tenderhall\/client|\.bin\/tenderhall/.test(text);
/** Pages for operators, who have Tenderhall installed. */
const OPERATORS = ["operations.md"];

const STEP = pages.flatMap((file) => samplesToRun(file)).find(installs)!.text;
/** Installed once for all pages. */
let project: Promise<InstalledProject> | undefined;
const installed = (): Promise<InstalledProject> => {
  project ??= installByStep(STEP);
  return project;
};
after(async () => (await project)?.remove());

async function stageOf(world: World, samples: readonly Sample[]): Promise<SampleContext> {
  const repairs = samples.some(({ text }) => text.includes(" ID "));
  const id = repairs ? (await publish(world.api("2.3"), { title: "A tender to repair" })).id : "";
  return {
    names: {
      "http://127.0.0.1:8080": world.url,
      "/backup/tenderhall": "./backup",
      "/tmp/moving": "./moving",
      " ID ": ` ${id} `,
    },
    environment: { DATA_DIR: world.dataDir, ...world.database.environment },
  };
}

/** Each sample that names a database gets an empty one, if there is a PostgreSQL. */
async function withDatabases(
  samples: readonly Sample[],
): Promise<{ samples: readonly Sample[]; drop: () => Promise<void> }> {
  const hasPostgres = process.env.TEST_DATABASE_URL !== undefined;
  const databases: { drop: () => Promise<void> }[] = [];
  const given: Sample[] = [];
  for (const sample of samples) {
    if (!sample.text.includes(DATABASE)) given.push(sample);
    else if (hasPostgres) {
      const schema = await openSchema();
      databases.push(schema);
      given.push({
        ...sample,
        text: sample.text.replaceAll(`DATABASE_URL=${DATABASE}`, `DATABASE_URL='${schema.url}'`),
      });
    }
  }
  return { samples: given, drop: async () => void (await Promise.all(databases.map(({ drop }) => drop()))) };
}

describe("the samples", { concurrency: 3 }, () => {
  for (const file of pages) {
    const toRun = samplesToRun(file);
    if (toRun.length === 0) continue;
    const skip = missingPrograms("bash", "curl");
    it(`of docs/${file} work when pasted from top to bottom`, { skip }, async (t) => {
      const hasIt = OPERATORS.includes(file) || toRun.some(installs);
      const { folder, missing: reason } = hasIt ? await installed() : {};
      if (reason) return t.skip(reason);
      // As a sandbox is by default.
      const world = await openWorld({ AUCTIONS: "builtin" }, true);
      // Samples for operators run on SQLite here; the scenarios of the commands run on both engines.
      const { samples, drop } = await withDatabases(toRun);
      try {
        const stage = await stageOf(world, samples);
        await runSamples(
          samples.filter((sample) => !installs(sample)),
          { ...stage, project: folder },
        );
      } finally {
        await world.stop();
        await drop();
      }
    });
  }

  it("of docs/errors.md show a real refusal", async (t) => {
    const world = await openWorld();
    t.after(world.stop);
    const { text } = samplesOf(readFileSync("docs/errors.md", "utf8")).find(({ language }) => language === "json")!;
    const shown = JSON.parse(text.replaceAll("http://127.0.0.1:8080", world.url));
    const { allowedFrom: from, allowedUntil: until } = shown.errors[0];
    const periods = { enquiryPeriod: { endDate: from }, tenderPeriod: { startDate: from, endDate: until } };
    const { path } = await publish(world.api("2.5"), { ...fullTender(world.clock.now), ...periods });
    const { status, body } = await world.api("2.5").post(`${path}/bids`, bidOf(100));
    assert.equal(status, 403);
    assert.deepEqual(body, shown);
  });

  it("of a guide install the package, always with the same commands, before they use it", () => {
    for (const file of pages.filter((page) => !OPERATORS.includes(page))) {
      const samples = samplesToRun(file);
      const [step, use] = [samples.findIndex(installs), samples.findIndex(needsIt)];
      assert.equal(use >= 0, step >= 0, file);
      assert.ok(step <= use, file);
      if (step >= 0) assert.equal(samples[step]!.text, STEP, file);
    }
  });

  it("in an unknown language are rejected, and those in languages checked elsewhere are not", () => {
    assert.throws(
      () => samplesOf("# Of snakes\n```python\nprint()\n```\n"),
      /unknown language below "Of snakes": python/,
    );
    assert.deepEqual(samplesOf("```yaml\na: 1\n```\n"), []);
    assert.equal(samplesOf("```\nunnamed\n```\n```sh\ntrue\n```\n").length, 1);
  });

  it("for a terminal have no trailing comments, which an interactive zsh would run as words", () => {
    const texts = ["README.md", "CONTRIBUTING.md", ...globSync("docs/**/*.md")];
    assert.ok(texts.length > 10);
    for (const file of texts)
      for (const [, block] of readFileSync(file, "utf8").matchAll(/^```sh[^\n]*\n(.*?)^```$/gms))
        assert.doesNotMatch(block!, /(^|\s)# /m, file);
  });

  it("use every file that their page names", () => {
    for (const file of pages) {
      const samples = samplesOf(readFileSync(`docs/${file}`, "utf8"));
      for (const { note } of samples.filter((sample) => sample.note !== undefined && sample.note !== "output"))
        assert.ok(
          samples.some(({ note: other, text }) => other !== note && text.includes(note!)),
          `${file}: ${note}`,
        );
    }
  });
});

/** A project with only the client's package, which the programs on the page import. */
async function checkClientProject(step: string): Promise<void> {
  const { folder, missing: reason, remove } = await installByStep(step);
  try {
    if (reason) return;
    writeFileSync(
      join(folder, "begins.js"),
      'import { openClient } from "tenderhall-client"; openClient({ url: "http://127.0.0.1:1" });',
    );
    const { status, stderr } = spawnSync("node", ["begins.js"], { cwd: folder, encoding: "utf8" });
    assert.equal(status, 0, stderr);
    assert.deepEqual(
      readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith(".")),
      ["tenderhall-client"],
    );
  } finally {
    remove();
  }
}

/** Runs last, because it rebuilds what the others use. test/scenarios/clientDocs.test.ts runs the programs on that page. */
describe("the terminal samples", () => {
  it("of docs/client.md install what they say", async (t) => {
    const [alone, ...samples] = samplesToRun("client.md").filter(({ language }) => language === "sh");
    await checkClientProject(alone!.text);
    assert.equal(samples[0]!.text, STEP);
    const { folder, missing: reason } = await installed();
    if (reason) return t.skip(reason);
    const texts = samples.slice(1);
    // The programs on the page are ES modules, which the default package.json of `npm init` does not allow.
    const program = 'import { openClient } from "tenderhall/client"; await openClient({ url: "http://127.0.0.1:1" });';
    texts.push({
      heading: "",
      language: "sh",
      note: undefined,
      text: `echo '${program}' > begins.js\nnode begins.js\n`,
    });
    await runSamples(texts, { names: {}, environment: {}, project: folder });
  });
});
