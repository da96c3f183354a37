import type { ErrorObject, ValidateFunction } from "ajv";
import AjvDraft04 from "ajv-draft-04";
import addFormats from "ajv-formats";
import { merge } from "../../src/domain/values/merge.ts";
import { PACKAGE_SCHEMA } from "../../src/ocds/extension/packageSchema.ts";
import { EXTENSION_SCHEMA } from "../../src/ocds/extension/releaseSchema.ts";
import { OCDS_EXTENSIONS, readOcdsFile } from "./ocdsFiles.ts";

/** An independent judge of releases and packages: the schemas of OCDS with the extensions, checked by ajv. */

export type JsonSchema = { readonly [keyword: string]: unknown };

/** The schema of a release with all extensions applied, of which ours is the last. */
export const patchedReleaseSchema = (): JsonSchema =>
  [...OCDS_EXTENSIONS.map((name) => readOcdsFile(`extensions/${name}/release-schema.json`)), EXTENSION_SCHEMA].reduce(
    (schema, patch) => merge(schema, patch),
    readOcdsFile("schema/release-schema.json"),
  );

/** The schema of a package with our extension applied. */
export const patchedPackageSchema = (contents: "release" | "record"): JsonSchema =>
  merge(readOcdsFile(`schema/${contents}-package-schema.json`), PACKAGE_SCHEMA);

export type OcdsValidator = {
  /** The errors of a release, a package of releases or a package of records, as texts. */
  readonly errorsOf: (kind: "release" | "releasePackage" | "recordPackage", value: object) => readonly string[];
};

const describeError = ({ instancePath, message, params }: ErrorObject): string =>
  `${instancePath} ${message} ${JSON.stringify(params)}`;

export function openOcdsValidator(): OcdsValidator {
  // ajv-draft-04 and ajv-formats export their function as `default` of a CommonJS module.
  const ajv = new AjvDraft04.default({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(readOcdsFile("schema/versioned-release-validation-schema.json"));
  const validators: { readonly [kind: string]: ValidateFunction } = {
    release: ajv.compile(patchedReleaseSchema()),
    releasePackage: ajv.compile(patchedPackageSchema("release")),
    recordPackage: ajv.compile(patchedPackageSchema("record")),
  };
  return {
    errorsOf: (kind, value) => {
      const validate = validators[kind];
      // As users read it: numbers of many digits are objects before they are written.
      validate?.(JSON.parse(JSON.stringify(value)));
      return (validate?.errors ?? []).map(describeError);
    },
  };
}
