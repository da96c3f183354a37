import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, describe, it } from "node:test";
import { type OperationSample, referenceOf, samplesIn } from "../support/htmlPages.ts";
import { missingPrograms } from "../support/programs.ts";
import { openWorld, sharedWorld } from "../support/world.ts";

/** The samples of the reference in TypeScript and Python. test/docs/references.test.ts runs those for curl. */

const TSC = resolve("node_modules/typescript/bin/tsc");
const PYTHON_MISSING = missingPrograms("python3");

const folder = mkdtempSync(join(tmpdir(), "tenderhall-language-samples-"));
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
writeFileSync(join(folder, "terms.txt"), "Meals for a year.\n");
installClient();

/** Node does not strip types in node_modules, so the package there is a link to a folder outside. */
function installClient(): void {
  const client = join(folder, "client");
  mkdirSync(client);
  mkdirSync(join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(client, "package.json"), '{ "type": "module", "exports": "./index.ts" }');
  writeFileSync(join(client, "index.ts"), `export * from ${JSON.stringify(resolve("src/client/index.ts"))};\n`);
  symlinkSync(client, join(folder, "node_modules/tenderhall-client"));
  symlinkSync(resolve("node_modules/@types"), join(folder, "node_modules/@types"));
  symlinkSync(resolve("node_modules/undici-types"), join(folder, "node_modules/undici-types"));
}

type Variables = { readonly [name: string]: string };

function run(program: string, args: readonly string[], variables: Variables = {}, input = ""): Promise<string> {
  const child = spawn(program, args, { cwd: folder, env: { ...process.env, ...variables } });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  child.stdin.end(input);
  return new Promise((done, fail) =>
    child.on("close", (code) => (code === 0 ? done(output) : fail(new Error(`${program}: ${code}\n${output}`)))),
  );
}

const RUNNERS = {
  ts: (text: string, variables: Variables) => {
    writeFileSync(join(folder, "sample.ts"), text);
    return run(process.execPath, ["--disable-warning=ExperimentalWarning", "sample.ts"], variables);
  },
  python: (text: string, variables: Variables) => run("python3", ["-c", text], variables),
} as const;

const idIn = (output: string): string => /['"]?\bid['"]?: ?['"]([0-9a-f]{32})['"]/.exec(output)?.[1] ?? output;
const tokenIn = (output: string): string => /['"]?\btoken['"]?: ?['"]([0-9a-f]{32})['"]/.exec(output)?.[1] ?? output;

/** Publishes, reads, changes, asks and uploads with the samples alone; other requests check the result. */
async function walk(segment: string, language: "ts" | "python"): Promise<void> {
  const world = await openWorld();
  try {
    const samples = samplesIn(await referenceOf(world.url, segment));
    const send = (id: string, variables: Variables = {}) =>
      RUNNERS[language](sampleOf(samples, id, language), variables);
    const created = await send("post_tenders");
    const TENDER_ID = idIn(created);
    const variables = { TENDER_ID, TOKEN: tokenIn(created) };
    assert.ok((await send("get_tenders")).includes(TENDER_ID));
    assert.ok((await send("get_tenders_tender_id", variables)).includes(TENDER_ID));
    await send("patch_tenders_tender_id", variables);
    await send("post_tenders_tender_id_documents", variables);
    const QUESTION_ID = idIn(await send("post_tenders_tender_id_questions", variables));
    await send("patch_tenders_tender_id_questions_question_id", { ...variables, QUESTION_ID });
    const { data } = (await world.api(segment).get(`/tenders/${TENDER_ID}`)).body;
    assert.equal(data.title, "School meals, spring term");
    assert.equal(data.documents[0].title, "terms.txt");
    assert.equal(data.questions[0].answer, "Lunch only.");
  } finally {
    await world.stop();
  }
}

function sampleOf(samples: readonly OperationSample[], id: string, language: string): string {
  const found = samples.find((sample) => sample.id === id && sample.language === language);
  assert.ok(found, `there is no sample of ${id} in ${language}`);
  return found.text;
}

describe("the samples of the reference", async () => {
  const world = await sharedWorld();

  for (const segment of ["2.5", "2.3"]) {
    it(`in TypeScript publish, read and change a tender of ${segment}`, () => walk(segment, "ts"));
    it(`in Python publish, read and change a tender of ${segment}`, { skip: PYTHON_MISSING }, () =>
      walk(segment, "python"),
    );
  }

  it("in TypeScript compile, with the client's types for the newest version", async () => {
    const sources = join(folder, "sources");
    mkdirSync(sources);
    for (const segment of ["2.5", "2.3", "site"]) {
      const samples = samplesIn(await referenceOf(world.url, segment)).filter(({ language }) => language === "ts");
      assert.ok(samples.length > 15, segment);
      for (const { id, text } of samples) writeFileSync(join(sources, `${segment}-${id}.ts`), `${text}\nexport {};\n`);
      const usesClient = samples.filter(({ text }) => text.includes('from "tenderhall-client"'));
      assert.equal(usesClient.length > samples.length * 0.8, segment !== "2.3", segment);
    }
    // A sample with an error, which proves that the client's types are found.
    const wrong = 'import { openClient } from "tenderhall-client";\nconst client = openClient({ url: "" });\n';
    writeFileSync(join(sources, "wrong.ts"), `${wrong}// @ts-expect-error\nawait client.tenders.create({});\n`);
    const options = {
      noEmit: true,
      strict: true,
      target: "esnext",
      module: "nodenext",
      allowImportingTsExtensions: true,
      types: ["node"],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["sources"] }));
    await run(process.execPath, [TSC, "--project", folder]);
  });

  it("in Python compile", { skip: PYTHON_MISSING }, async () => {
    const samples = samplesIn(await referenceOf(world.url, "2.5")).filter(({ language }) => language === "python");
    assert.ok(samples.length > 50);
    const check = "import json, sys\nfor s in json.load(sys.stdin): compile(s['text'], s['id'], 'exec')";
    await run("python3", ["-c", check], {}, JSON.stringify(samples));
  });
});
