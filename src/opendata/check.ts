import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { errorMessage } from "../base/errors.ts";
import { merge } from "../domain/values/merge.ts";
import type { Instant } from "../domain/values/time.ts";
import { checkProcess } from "../ocds/coherence/coherence.ts";
import { EXTENSION_SCHEMA } from "../ocds/extension/releaseSchema.ts";
import type { Release } from "../ocds/merge.ts";
import { instantOfRelease } from "../store/store.ts";
import type { StoredReleases } from "./openData.ts";
import { parseRelease } from "./releaseProgress.ts";
import { fillTemplate, type TemplateValues } from "./releaseTemplates.ts";

/** Checks the releases that a registry has stored: whether they are coherent, and whether they are valid by the schemas. */

export type ReleaseProblem = { readonly release: string; readonly path: string; readonly problem: string };

/** Returns what is wrong with a release by the schema; nothing if it is valid. */
export type ValidateRelease = (release: unknown) => readonly Omit<ReleaseProblem, "release">[];

export type CheckSettings = {
  readonly openData: StoredReleases;
  readonly values: TemplateValues;
  readonly validate: ValidateRelease | undefined;
  /** Called after each tender, with its number of releases. */
  readonly onTender: (releases: number) => void;
};

const ROWS_AT_ONCE = 100;

/** The problems of all tenders, one after another. */
export async function* checkReleases(settings: CheckSettings): AsyncGenerator<ReleaseProblem> {
  const { openData, values, validate, onTender } = settings;
  for await (const tender of tendersIn(openData)) {
    const texts = (await openData.templatesOf(tender)).map((template) => fillTemplate(template, values));
    const releases = texts.map(parseRelease);
    for (const { releaseID, path, rule, found } of checkProcess(releases))
      yield { release: releaseID, path, problem: `${rule}: ${found}` };
    if (validate) yield* schemaProblems(releases, texts, validate);
    onTender(releases.length);
  }
}

function* schemaProblems(
  releases: readonly Release[],
  texts: readonly string[],
  validate: ValidateRelease,
): Generator<ReleaseProblem> {
  // As users read it: `JSON.parse` makes numbers of what `parseOcds` keeps exactly.
  for (const [i, { id }] of releases.entries())
    for (const problem of validate(JSON.parse(texts[i] ?? ""))) yield { release: id, ...problem };
}

/** The tenders that have releases, in the order of their first ones. */
async function* tendersIn({ releases, firstReleaseOf }: CheckSettings["openData"]): AsyncGenerator<string> {
  for (let beyond: Instant | undefined; ; ) {
    const rows = await releases({ descending: false, beyond, limit: ROWS_AT_ONCE });
    for (const { id } of rows) {
      const tender = id.slice(id.indexOf("/") + 1);
      beyond = instantOfRelease(id);
      if ((await firstReleaseOf(tender)) === beyond) yield tender;
    }
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

const EXTENSIONS = ["bids", "enquiries", "lots"];

/**
 * A validator for releases from the schemas of the standard in a folder: `schema/release-schema.json` and
 * `extensions/NAME/release-schema.json`. It needs packages that the product itself does not: ajv, ajv-draft-04 and ajv-formats.
 */
export async function openSchemaValidator(folder: string): Promise<ValidateRelease> {
  const [standard, ...patches] = await Promise.all(
    ["schema", ...EXTENSIONS.map((name) => `extensions/${name}`)].map((path) => readSchema(folder, path)),
  );
  const schema = [...patches, EXTENSION_SCHEMA].reduce<unknown>((patched, patch) => merge(patched, patch), standard);
  const { AjvDraft04, addFormats } = await loadValidator();
  const ajv = new AjvDraft04.default({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(Object(schema));
  return (release) => {
    validate(release);
    return (validate.errors ?? []).map(({ instancePath, message }) => ({
      path: instancePath,
      problem: `schema: ${message ?? "is invalid"}`,
    }));
  };
}

async function readSchema(folder: string, path: string): Promise<object> {
  const file = join(folder, path, "release-schema.json");
  try {
    return Object(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    throw new Error(`${file} is not a schema of OCDS: ${errorMessage(error)}`);
  }
}

/** Loaded on demand: the validator is only installed where somebody wants to check against the schemas. */
async function loadValidator() {
  try {
    const [draft04, formats] = await Promise.all([import("ajv-draft-04"), import("ajv-formats")]);
    return { AjvDraft04: draft04.default, addFormats: formats.default };
  } catch {
    throw new Error("checking against schemas needs a validator: npm install ajv ajv-draft-04 ajv-formats");
  }
}
