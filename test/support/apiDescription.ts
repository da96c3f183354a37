import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { ALIASES, OLDEST, openDialects } from "../../src/dialects/dialects.ts";
import { openZone } from "../../src/domain/values/time.ts";
import { allRules } from "../../src/http/errorRules.ts";
import { describeApi } from "../../src/openapi/openapi.ts";
import { describeUnversionedApi } from "../../src/openapi/unversionedOpenapi.ts";

// Validates every response that a test receives against the API description of its version.

type Description = {
  readonly paths: { readonly [path: string]: { readonly [method: string]: { readonly responses: object } } };
};

const settings = { zone: openZone("Europe/Kyiv"), sandbox: true, textBytesMax: 65536, listMax: 1000 };
const NEWEST = "2.5";
const dialects = openDialects(settings);
const descriptions = new Map(
  [...dialects].map(([segment, dialect]) => [
    segment,
    openDescription(describeApi(dialect, dialects.get(OLDEST)!) as Description),
  ]),
);

const SITE_PATH = /^\/(sandbox|webhooks|register|upload|health)(\/|$)/;
const site = openDescription(describeUnversionedApi() as Description);

function openDescription(description: Description) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(description, "api");
  const validators = new Map<string, ValidateFunction>();
  const templates = Object.keys(description.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }));

  function validatorOf(pointer: string): ValidateFunction {
    const validator = validators.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` });
    validators.set(pointer, validator);
    return validator;
  }

  return (path: string, method: string, status: number): ValidateFunction | undefined => {
    const error = "/components/schemas/Error";
    if (status >= 400) return validatorOf(error);
    const template = templates.find(({ pattern }) => pattern.test(path))?.path;
    if (!template) return undefined;
    const escaped = template.replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D");
    return validatorOf(
      `/paths/${escaped}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`,
    );
  };
}

const ruleIds: ReadonlySet<string> = new Set(allRules().map(({ id }) => id));

type ErrorWithRule = { readonly rule: string; readonly docs: string };

/** Asserts that every error names a known rule and links its documentation. */
export function checkRules(body: unknown): void {
  const { errors } = body as { readonly errors: readonly ErrorWithRule[] };
  for (const { rule, docs } of errors) {
    assert.ok(ruleIds.has(rule), `unknown rule ${rule}`);
    assert.match(docs, /^https?:\/\/[^/]+.*\/docs\/errors#[a-z-]+$/);
    assert.ok(docs.endsWith(`#${rule}`), docs);
  }
}

/** Asserts that a response matches the API description of its version, and that errors name known rules. */
export function checkResponse(
  version: string,
  method: string,
  url: URL,
  response: { readonly status: number; readonly body: unknown },
): void {
  if (response.status >= 400 && response.body !== undefined && method !== "HEAD") checkRules(response.body);
  if (response.body === undefined || method === "HEAD") return;
  const prefix = `/api/${version}`;
  const description = SITE_PATH.test(url.pathname)
    ? site
    : url.pathname.startsWith(prefix)
      ? descriptions.get(ALIASES.includes(version) ? NEWEST : version)
      : undefined;
  const path = description === site ? url.pathname : url.pathname.slice(prefix.length);
  const validate = description?.(path, method, response.status);
  if (!validate) return;
  const valid = validate(response.body);
  assert.ok(
    valid,
    `${method} ${url.pathname} does not match the API description: ${JSON.stringify(validate.errors, null, 1)}`,
  );
}
