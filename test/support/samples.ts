import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Environment } from "../../src/config/config.ts";
import { freePort } from "./ports.ts";
import { runScript } from "./programs.ts";

/** A code block of a documentation page. */
export type Sample = {
  /** The heading above it. */
  readonly heading: string;
  readonly language: string;
  /** `output`, or the name of a file with this text. */
  readonly note: string | undefined;
  readonly text: string;
};

const RUNNABLE = ["sh", "js", "ts", "json", "http", "env"];
/** Languages that are not run here. test/docs/otherBlocks.test.ts checks each of them. */
const NOT_RUN_LANGUAGES = ["", "mermaid", "text", "yaml"];

/** All code blocks of a page. */
export function blocksOf(markdown: string): readonly Sample[] {
  const blocks: Sample[] = [];
  let heading = "";
  for (const [, title, language, note, text] of markdown.matchAll(
    /^#+ ([^\n]+)$|^ *```(\w*)(?: +(\S+))?[^\n]*\n(.*?)^ *```$/gms,
  )) {
    if (title !== undefined) heading = title;
    else blocks.push({ heading, language: language!, note, text: text! });
  }
  return blocks;
}

export const isSkipped = (block: Sample): boolean => NOT_RUN_LANGUAGES.includes(block.language) && !isOutput(block);

/** The blocks that a reader runs. A block in an unknown language is an error, because it would be skipped unnoticed. */
export function samplesOf(markdown: string): readonly Sample[] {
  const samples = blocksOf(markdown).filter((block) => !isSkipped(block));
  for (const sample of samples)
    assert.ok(
      RUNNABLE.includes(sample.language) || isOutput(sample),
      `unknown language below "${sample.heading}": ${sample.language}`,
    );
  return samples;
}

const isOutput = ({ note }: Sample): boolean => note === "output";
const isFile = (sample: Sample): boolean => sample.note !== undefined && !isOutput(sample);

/** What samples run with. */
export type SampleContext = {
  /** Replacements in the texts, such as the URL of the server. */
  readonly names: { readonly [text: string]: string };
  readonly environment: Environment;
  /** A project with Tenderhall installed. Without it, samples run in an empty folder. */
  readonly project?: string;
};

/** Ports that pages use for further servers. */
const PORTS = ["9000", "8090"];

/**
 * Runs the samples of a page from top to bottom in one shell, and compares their output with the output blocks. Returns the
 * output of each.
 */
export async function runSamples(samples: readonly Sample[], context: SampleContext): Promise<readonly string[]> {
  for (const { language, note } of samples)
    if (note === undefined)
      assert.ok(["sh", "js", "ts"].includes(language), `a sample of ${language} is a file or an output`);
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-samples-"));
  try {
    const ports = new Map(await Promise.all(PORTS.map(async (port) => [port, String(await freePort())] as const)));
    const localize = (text: string) =>
      Object.entries(context.names)
        .reduce((replaced, [name, replacement]) => replaced.replaceAll(name, replacement), text)
        .replace(/\b(9000|8090)\b/g, (port) => ports.get(port)!);
    prepareFolder(folder, samples, localize, context.project);
    const { code, output } = await runScript(scriptOf(samples, localize), {
      cwd: folder,
      environment: { ...context.environment, EDITOR: "true" },
      searchFirst: [dirname(process.execPath)],
    });
    assert.equal(code, 0, `a sample failed: ${output}\n${outputsIn(folder, samples)}`);
    samples.forEach((sample, i) => {
      if (!isOutput(sample)) return;
      const from = samples.findLastIndex((candidate, at) => at < i && isRun(candidate));
      assert.ok(from >= 0, "an output block needs a sample before it");
      compare(sample, localize(sample.text), readFileSync(join(folder, "out", `${from}`), "utf8"));
    });
    return samples.flatMap((sample, i) => (isRun(sample) ? [readFileSync(join(folder, "out", `${i}`), "utf8")] : []));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const isRun = (sample: Sample): boolean => ["sh", "js", "ts"].includes(sample.language) && sample.note === undefined;

const outputsIn = (folder: string, samples: readonly Sample[]): string =>
  samples
    .map((_sample, i) => join(folder, "out", `${i}`))
    .map((file) => {
      try {
        return readFileSync(file, "utf8").slice(-2000);
      } catch {
        return "";
      }
    })
    .filter(Boolean)
    .slice(-2)
    .join("\n---\n");

/** Writes the files of the page, links the installed project, and creates the folder for outputs. */
function prepareFolder(
  folder: string,
  samples: readonly Sample[],
  localize: (text: string) => string,
  project: string | undefined,
): void {
  mkdirSync(join(folder, "out"));
  for (const name of project ? ["package.json", "node_modules"] : [])
    symlinkSync(join(project!, name), join(folder, name));
  samples.forEach((sample, i) => {
    if (isFile(sample)) writeFileSync(join(folder, sample.note!), localize(sample.text));
    else if (isRun(sample) && sample.language !== "sh")
      writeFileSync(join(folder, `${i}.${sample.language === "js" ? "mjs" : "ts"}`), localize(sample.text));
  });
}

/** One script for all samples, so that they share variables. */
function scriptOf(samples: readonly Sample[], localize: (text: string) => string): string {
  const steps = samples.map((sample, i) => {
    if (!isRun(sample)) return "";
    const run =
      sample.language === "sh" ? localize(sample.text) : `node ${i}.${sample.language === "js" ? "mjs" : "ts"}`;
    return `{\n${run}\n} > out/${i}\n`;
  });
  return `trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n${steps.join("")}`;
}

function compare({ language, heading }: Sample, expected: string, actual: string): void {
  const where = `below "${heading}":\n${actual}`;
  if (language === "json") assertShape(JSON.parse(expected), jsonIn(actual, where), heading, where);
  else compareLines(language, expected, actual, where);
}

function compareLines(language: string, expected: string, actual: string, where: string): void {
  const lines = actual.split(/\r?\n/);
  let from = 0;
  for (const line of expected.trim().split("\n")) {
    const pattern = new RegExp(`^${patternOf(line)}`, language === "http" ? "i" : "");
    const at = lines.findIndex((candidate, i) => i >= from && pattern.test(candidate));
    assert.ok(at >= 0, `no line "${line}" ${where}`);
    // Headers come in any order.
    if (language !== "http") from = at + 1;
  }
}

const patternOf = (text: string): string => text.split("…").map(RegExp.escape).join(".*");

function jsonIn(text: string, where: string): unknown {
  const [start, end] = [text.indexOf("{"), text.lastIndexOf("}")];
  assert.ok(start >= 0 && end > start, `no JSON ${where}`);
  return JSON.parse(text.slice(start, end + 1));
}

/** Texts that differ in every run: ids, tokens, times, tender numbers, URLs. */
const VOLATILE_TEXT = /^[0-9a-f]{32}$|^\d{4}-\d\d-\d\dT|^UA-\d{4}|^https?:/;

/** Asserts that everything in the page's JSON is in the actual JSON, which may have more. */
export function assertShape(expected: unknown, actual: unknown, at: string, where: string): void {
  if (Array.isArray(expected)) {
    assert.ok(Array.isArray(actual), `${at} is not a list ${where}`);
    for (const [i, element] of expected.entries()) assertShape(element, actual[i], `${at}[${i}]`, where);
  } else if (typeof expected === "object" && expected !== null) {
    assert.ok(typeof actual === "object" && actual !== null, `${at} is not an object ${where}`);
    for (const [name, inner] of Object.entries(expected))
      assertShape(inner, (actual as { [name: string]: unknown })[name], `${at}.${name}`, where);
  } else if (typeof expected === "string" && (VOLATILE_TEXT.test(expected) || expected.includes("…"))) {
    assert.equal(typeof actual, "string", `${at} is not a string ${where}`);
    if (expected.includes("…"))
      assert.match(actual as string, new RegExp(`^${patternOf(expected)}$`, "s"), `${at} ${where}`);
  } else assert.deepEqual(actual, expected, `${at} ${where}`);
}
