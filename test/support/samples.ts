import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Environment } from "../../src/config/config.ts";
import { freePort } from "./ports.ts";
import { runScript } from "./programs.ts";

/** The code samples of a page, run as a reader runs them: from top to bottom, in one terminal. */

export type Sample = {
  /** The heading that it stands below. */
  readonly heading: string;
  readonly language: string;
  /** `output`, or the name of the file that it is. */
  readonly note: string | undefined;
  readonly text: string;
};

const RUNNABLE = ["sh", "js", "ts", "json", "http", "env"];
/** What is for other programs, or for the eye. Each of these has a check of its own in test/docs/apart.test.ts. */
const NOT_RUN_LANGUAGES = ["", "mermaid", "text", "yaml"];

/** All that stands in a page as code, whoever it is for. */
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

export const isNotRun = (block: Sample): boolean => NOT_RUN_LANGUAGES.includes(block.language) && !isOutput(block);

/** Those that a reader runs. One in a language that nobody has thought of is an error, as it would be left out unnoticed. */
export function samplesOf(markdown: string): readonly Sample[] {
  const samples = blocksOf(markdown).filter((block) => !isNotRun(block));
  for (const sample of samples)
    assert.ok(
      RUNNABLE.includes(sample.language) || isOutput(sample),
      `nobody runs what is below "${sample.heading}": ${sample.language}`,
    );
  return samples;
}

const isOutput = ({ note }: Sample): boolean => note === "output";
const isFile = (sample: Sample): boolean => sample.note !== undefined && !isOutput(sample);

export type SampleContext = {
  /** What the texts name, and what it is here. */
  readonly names: { readonly [text: string]: string };
  readonly environment: Environment;
  /** A project that has Tenderhall installed. Without it the folder is empty, and knows neither client nor command. */
  readonly project?: string;
};

/** Ports that pages name for servers of their own. */
const PORTS = ["9000", "8090"];

/** Runs the samples and holds what came back to what the page says would; and tells what each that was run said. */
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
    const { code, said: output } = await runScript(scriptOf(samples, localize), {
      cwd: folder,
      environment: { ...context.environment, EDITOR: "true" },
      searchFirst: [dirname(process.execPath)],
    });
    assert.equal(code, 0, `a sample failed: ${output}\n${outputsIn(folder, samples)}`);
    samples.forEach((sample, i) => {
      if (!isOutput(sample)) return;
      const from = samples.findLastIndex((candidate, at) => at < i && isRun(candidate));
      assert.ok(from >= 0, "an output follows what made it");
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

/** Files of the page, what the step 0 installs, and a place for what comes back. */
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

/** One shell for all, so that what one sample sets the next one has. */
function scriptOf(samples: readonly Sample[], localize: (text: string) => string): string {
  const steps = samples.map((sample, i) => {
    if (!isRun(sample)) return "";
    const run =
      sample.language === "sh" ? localize(sample.text) : `node ${i}.${sample.language === "js" ? "mjs" : "ts"}`;
    return `{\n${run}\n} > out/${i}\n`;
  });
  return `trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n${steps.join("")}`;
}

function compare({ language, heading }: Sample, wanted: string, actual: string): void {
  const where = `below "${heading}":\n${actual}`;
  if (language === "json") assertShape(JSON.parse(wanted), jsonIn(actual, where), heading, where);
  else compareLines(language, wanted, actual, where);
}

function compareLines(language: string, wanted: string, actual: string, where: string): void {
  const lines = actual.split(/\r?\n/);
  let from = 0;
  for (const line of wanted.trim().split("\n")) {
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

/** Other at every run: ids, tokens, times, numbers of the day, addresses. */
const VOLATILE_TEXT = /^[0-9a-f]{32}$|^\d{4}-\d\d-\d\dT|^UA-\d{4}|^https?:/;

/** What the page shows is there; the service may say more. */
export function assertShape(wanted: unknown, actual: unknown, at: string, where: string): void {
  if (Array.isArray(wanted)) {
    assert.ok(Array.isArray(actual), `${at} is no list ${where}`);
    for (const [i, element] of wanted.entries()) assertShape(element, actual[i], `${at}[${i}]`, where);
  } else if (typeof wanted === "object" && wanted !== null) {
    assert.ok(typeof actual === "object" && actual !== null, `${at} is no object ${where}`);
    for (const [name, inner] of Object.entries(wanted))
      assertShape(inner, (actual as { [name: string]: unknown })[name], `${at}.${name}`, where);
  } else if (typeof wanted === "string" && (VOLATILE_TEXT.test(wanted) || wanted.includes("…"))) {
    assert.equal(typeof actual, "string", `${at} is no text ${where}`);
    if (wanted.includes("…"))
      assert.match(actual as string, new RegExp(`^${patternOf(wanted)}$`, "s"), `${at} ${where}`);
  } else assert.deepEqual(actual, wanted, `${at} ${where}`);
}
