import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { errorMessage } from "../base/errors.ts";
import { merge } from "../domain/values/merge.ts";
import type { Instant } from "../domain/values/time.ts";
import { checkProcess } from "../ocds/coherence/coherence.ts";
import { EXTENSION_SCHEMA } from "../ocds/extension/releaseSchema.ts";
import type { Release } from "../ocds/merge.ts";
import {
  openRecordMerger,
  packageHead,
  packageText,
  type RecordMerger,
  STANDARD_EXTENSIONS,
} from "../ocds/packages.ts";
import { instantOfRelease } from "../store/store.ts";
import type { StoredReleases } from "./openData.ts";
import { parseRelease } from "./releaseProgress.ts";
import { fillTemplate, type TemplateValues } from "./releaseTemplates.ts";

/** Checks the releases that a registry has stored, and the records made of them: whether they are coherent, and valid by the schemas. */

export type ReleaseProblem = { readonly release: string; readonly path: string; readonly problem: string };

/** Returns what is wrong with a value by its schema; nothing if it is valid. */
type ValidateValue = (value: unknown) => readonly Omit<ReleaseProblem, "release">[];

/** Validators by the schemas of the standard. */
export type SchemaValidator = { readonly release: ValidateValue; readonly recordPackage: ValidateValue };

export type CheckSettings = {
  readonly openData: StoredReleases;
  readonly values: TemplateValues;
  readonly validator: SchemaValidator | undefined;
  /** Called after each tender, with its number of releases. */
  readonly onTender: (releases: number) => void;
};

const ROWS_AT_ONCE = 100;

/** The problems of all tenders, one after another. */
export async function* checkReleases(settings: CheckSettings): AsyncGenerator<ReleaseProblem> {
  const { openData, values, validator, onTender } = settings;
  for await (const tender of tendersIn(openData)) {
    const texts = (await openData.templatesOf(tender)).map((template) => fillTemplate(template, values));
    const releases = texts.map(parseRelease);
    const merger = openRecordMerger({ hasVersions: validator !== undefined });
    for (const release of releases) merger.add(release);
    for (const { releaseID, path, rule, found } of checkProcess(releases, merger.compiled()))
      yield { release: releaseID, path, problem: `${rule}: ${found}` };
    if (validator) yield* schemaProblems(releases, texts, merger, validator);
    onTender(releases.length);
  }
}

function* schemaProblems(
  releases: readonly Release[],
  texts: readonly string[],
  merger: RecordMerger,
  validator: SchemaValidator,
): Generator<ReleaseProblem> {
  // As users read it: `JSON.parse` makes numbers of what `parseOcds` keeps exactly.
  for (const [i, { id }] of releases.entries())
    for (const problem of validator.release(JSON.parse(texts[i] ?? ""))) yield { release: id, ...problem };
  const [compiledRelease, versionedRelease] = [merger.compiled(), merger.versioned()];
  if (!compiledRelease) return;
  const record = { ocid: compiledRelease.ocid, releases, compiledRelease, versionedRelease };
  const facts = { uri: "https://registry.example/record", publishedDate: compiledRelease.date };
  const head = packageHead(facts, { publisher: { name: "Registry" }, extensions: [...STANDARD_EXTENSIONS] });
  const recordPackage = JSON.parse(packageText(head, "records", [JSON.stringify(record)]));
  for (const problem of validator.recordPackage(recordPackage)) yield { release: record.ocid, ...problem };
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
 * Validators from the schemas of the standard in a folder: those of a release, of a versioned release and of a record package in
 * `schema/`, and `extensions/NAME/release-schema.json`. They need packages that the product itself does not: ajv, ajv-draft-04 and
 * ajv-formats.
 */
export async function openSchemaValidator(folder: string): Promise<SchemaValidator> {
  const read = (path: string) => readSchema(join(folder, path));
  const [standard, ...patches] = await Promise.all(
    ["schema", ...EXTENSIONS.map((name) => `extensions/${name}`)].map((path) => read(`${path}/release-schema.json`)),
  );
  const versioned = await read("schema/versioned-release-validation-schema.json");
  const recordPackage = await read("schema/record-package-schema.json");
  const schema = [...patches, EXTENSION_SCHEMA].reduce<unknown>((patched, patch) => merge(patched, patch), standard);
  const { AjvDraft04, addFormats } = await loadValidator();
  const ajv = new AjvDraft04.default({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(versioned);
  const validatorOf = (compiled: object): ValidateValue => {
    const validate = ajv.compile(compiled);
    return (value) => {
      validate(value);
      return (validate.errors ?? []).map(({ instancePath, message }) => ({
        path: instancePath,
        problem: `schema: ${message ?? "is invalid"}`,
      }));
    };
  };
  // The schema of record packages refers to that of releases, so it comes second.
  const release = validatorOf(Object(schema));
  return { release, recordPackage: validatorOf(recordPackage) };
}

async function readSchema(file: string): Promise<object> {
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
