import { PROBLEMS_MAX, type Problem, problem } from "../domain/model/refusals.ts";
import type { ProblemRule } from "../domain/model/rules.ts";
import type { AbsentFields } from "../domain/procedures/optionalFields.ts";
import { idFormatMessage } from "../domain/validation.ts";
import { parseDecimal } from "../domain/values/decimal.ts";
import { isPlainObject } from "../domain/values/merge.ts";
import { parseInstant, type Zone } from "../domain/values/time.ts";
import type { Field, Shape, Shapes } from "./fields.ts";
import { shapeNamed } from "./fields.ts";
import { LongNumber } from "./json.ts";

/** What reading depends on besides the shapes. */
export type InputReaderSettings = {
  readonly zone: Zone;
  readonly sandbox: boolean;
  readonly textBytesMax: number;
  readonly listMax: number;
};

export type ReadResult = {
  readonly fields: { readonly [name: string]: unknown };
  readonly problems: readonly Problem[];
};

/** Two names for one field, of which a client may use either but not both. */
export type Aliases = { readonly [shape: string]: readonly (readonly [string, string])[] };

/** Names by shape that are understood and ignored. */
export type IgnoredNames = { readonly [shape: string]: readonly string[] };

/** What one reading has come across; `path` is where it is, and changes as it goes. */
type ReadState = {
  readonly path: (string | number)[];
  readonly problems: Problem[];
  /** It is a patch: nulls clear, where in something new they stand for what is absent. */
  readonly keepsNulls: boolean;
  /** Fields by shape that do not exist here, although the shape has them. */
  readonly absent: AbsentFields;
};

type Parse<Value = unknown> = (value: unknown, reading: ReadState) => Value | undefined;

/**
 * Turns what a client sent into typed values, once, at the edge, and names every field that is not what it should be.
 * Most of it is text that is right as it is: an object or a list is copied only from where it is read as something else.
 */
export function createReader(
  shapes: Shapes,
  settings: InputReaderSettings,
  { aliases = {}, ignored = {} }: { readonly aliases?: Aliases; readonly ignored?: IgnoredNames } = {},
) {
  const parsers = new Map<string, Parse>();
  const parserOf = (name: string): Parse => {
    const known = parsers.get(name);
    if (known) return known;
    const parser = objectParser(name, shapeNamed(shapes, name), settings, parserOf, {
      aliases: aliases[name] ?? [],
      ignored: ignored[name] ?? [],
    });
    parsers.set(name, parser);
    return parser;
  };
  return (shape: string, sent: unknown, keepsNulls: boolean, absent: AbsentFields = {}): ReadResult => {
    const reading: ReadState = { path: [], problems: [], keepsNulls, absent };
    const fields = parserOf(shape)(sent, reading);
    return { fields: isPlainObject(fields) ? fields : {}, problems: reading.problems };
  };
}

function objectParser(
  name: string,
  shape: Shape,
  settings: InputReaderSettings,
  parserOf: (name: string) => Parse,
  { aliases, ignored }: { readonly aliases: Aliases[string]; readonly ignored: readonly string[] },
): Parse {
  const inNew = new Map<string, Parse | "ignored">(ignored.map((field) => [field, "ignored"]));
  const inPatch = new Map(inNew);
  for (const [field, spec] of Object.entries(shape)) {
    if (spec.sandboxOnly && !settings.sandbox) continue;
    const parse = spec.readOnly ? "ignored" : fieldParser(spec, settings, parserOf);
    inPatch.set(field, parse);
    const hasNewShape = spec.kind === "shape" && spec.newAs;
    inNew.set(field, hasNewShape ? fieldParser({ ...spec, of: hasNewShape }, settings, parserOf) : parse);
  }
  return (value, reading) => {
    if (!isPlainObject(value) || value instanceof LongNumber)
      return reportProblem(
        reading,
        `Please use a mapping for this field or ${name} instance instead of ${typeName(value)}.`,
        "wrong-type",
      );
    let read: { [field: string]: unknown } | undefined;
    const parsers = reading.keepsNulls ? inPatch : inNew;
    const absent = reading.absent[name];
    for (const field in value) {
      if (isFull(reading)) break;
      const inner = value[field];
      const parse = absent?.has(field) ? undefined : parsers.get(field);
      const parsed = parseField(parse, field, inner, reading);
      if (read === undefined) {
        if (parsed === inner) continue;
        read = fieldsBefore(value, field);
      }
      if (parsed !== undefined) read[field] = parsed;
    }
    const result = read ?? value;
    for (const [a, b] of aliases)
      if (a in result && b in result)
        reportProblem(reading, `${a} and ${b} are one field: send one of them.`, "one-field-twice", "shape", a);
    return result;
  };
}

function parseField(parse: Parse | "ignored" | undefined, field: string, value: unknown, reading: ReadState): unknown {
  if (parse === "ignored") return undefined;
  const { path } = reading;
  path.push(field);
  let parsed: unknown;
  if (parse === undefined) reportProblem(reading, "Rogue field", "unknown-field");
  else if (value !== null) parsed = parse(value, reading);
  else if (reading.keepsNulls) parsed = null;
  path.pop();
  return parsed;
}

function fieldsBefore(value: { readonly [field: string]: unknown }, end: string): { [field: string]: unknown } {
  const before: { [field: string]: unknown } = {};
  for (const field in value) {
    if (field === end) break;
    before[field] = value[field];
  }
  return before;
}

function fieldParser(field: Field, settings: InputReaderSettings, parserOf: (name: string) => Parse): Parse {
  if (field.kind === "shape") {
    let inner: Parse | undefined;
    const parse: Parse = (value, reading) => {
      inner ??= parserOf(field.of);
      return inner(value, reading);
    };
    return field.many ? listParser(parse, settings) : parse;
  }
  if (field.choices) return choiceParser(field.choices, settings);
  return SCALARS[field.kind](settings);
}

function listParser(parse: Parse, { listMax }: InputReaderSettings): Parse {
  return (value, reading) => {
    if (!Array.isArray(value))
      return reportProblem(reading, `Please use a list for this field instead of ${typeName(value)}.`, "wrong-type");
    if (value.length > listMax)
      return reportProblem(reading, `Please provide no more than ${listMax} items.`, "too-many-items");
    let read: unknown[] | undefined;
    for (let i = 0; i < value.length && !isFull(reading); i++) {
      reading.path.push(i);
      // What could not be read keeps its place, so that the others keep theirs.
      const parsed = parse(value[i], reading) ?? {};
      reading.path.pop();
      if (parsed !== value[i]) read ??= value.slice(0, i);
      read?.push(parsed);
    }
    return read ?? value;
  };
}

function choiceParser(choices: readonly string[], settings: InputReaderSettings): Parse {
  const list = choices.map((choice) => `'${choice}'`).join(", ");
  const parseText = textParser(settings);
  return (value, reading) => {
    const text = parseText(value, reading);
    if (text === undefined || choices.includes(text)) return text;
    return reportProblem(reading, `Value must be one of [${list}].`, "not-a-choice", "field");
  };
}

function textParser({ textBytesMax }: InputReaderSettings): Parse<string> {
  return (value, reading) => {
    const text = typeof value === "string" ? value : digitsOf(value);
    if (typeof text !== "string")
      return reportProblem(reading, `Couldn't interpret '${excerpt(value)}' as string.`, "wrong-type");
    if (text.includes("\0")) return reportProblem(reading, "Text must not contain the character NUL.", "bad-text");
    if (!text.isWellFormed())
      return reportProblem(reading, "Text must not contain half of a surrogate pair.", "bad-text");
    const fits = text.length * 3 <= textBytesMax || Buffer.byteLength(text) <= textBytesMax;
    return fits ? text : reportProblem(reading, "String value is too long.", "text-too-long", "field");
  };
}

function idParser(settings: InputReaderSettings): Parse {
  const parseText = textParser(settings);
  return (value, reading) => {
    const id = parseText(value, reading);
    if (id === undefined || /^[0-9a-f]{32}$/.test(id)) return id;
    return reportProblem(reading, idFormatMessage(id), "id-format");
  };
}

/** A whole number is understood where text belongs. */
function digitsOf(value: unknown): string | undefined {
  const literal = typeof value === "string" ? undefined : literalOf(value);
  const digits = literal === undefined ? undefined : parseDecimal(literal);
  return digits?.includes(".") ? undefined : digits;
}

const FLAGS = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  [1, true],
  [0, false],
  ["true", true],
  ["false", false],
  ["True", true],
  ["False", false],
  ["1", true],
  ["0", false],
]);

const flagParser: Parse = (value, reading) =>
  FLAGS.get(value) ?? reportProblem(reading, "Must be either true or false.", "wrong-type");

const decimalParser: Parse = (value, reading) => {
  const literal = literalOf(value);
  const parsed = literal === undefined ? undefined : parseDecimal(literal);
  return parsed ?? reportProblem(reading, `Value '${excerpt(value)}' is not float.`, "wrong-type");
};

const integerParser: Parse = (value, reading) => {
  const parsed = /^[-+]?\d{1,15}$/.test(literalOf(value) ?? "") ? Number(literalOf(value)) : undefined;
  return parsed ?? reportProblem(reading, `Value '${excerpt(value)}' is not int.`, "wrong-type");
};

function instantParser({ zone }: InputReaderSettings): Parse {
  return (value, reading) => {
    const parsed = typeof value === "string" ? parseInstant(value.trim(), zone) : "unparsable";
    if (typeof parsed === "number") return parsed;
    if (parsed === "out of range") return reportProblem(reading, "date value out of range", "bad-date");
    return reportProblem(reading, `Could not parse ${excerpt(value)}. Should be ISO8601.`, "bad-date");
  };
}

const SCALARS: { readonly [kind in Exclude<Field["kind"], "shape">]: (settings: InputReaderSettings) => Parse } = {
  text: textParser,
  id: idParser,
  link: textParser,
  address: textParser,
  flag: () => flagParser,
  amount: () => decimalParser,
  number: () => decimalParser,
  integer: () => integerParser,
  instant: instantParser,
  json: () => (value) => value,
};

/** A number too long for a double arrives as the text it was written with. */
function literalOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return value;
  return value instanceof LongNumber ? value.source : undefined;
}

const SHOWN_MAX = 100;

function excerpt(value: unknown): string {
  const text = literalOf(value) ?? JSON.stringify(value);
  return (text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}...` : text).toWellFormed().replaceAll("\0", "");
}

/** Types under the names that clients of this protocol know them by. */
function typeName(value: unknown): string {
  if (value === null) return "NoneType";
  if (Array.isArray(value)) return "list";
  if (typeof value === "string") return "unicode";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float";
  return value instanceof LongNumber ? "float" : "dict";
}

/** Nothing more would be told, so nothing more is read. */
const isFull = ({ problems }: ReadState): boolean => problems.length >= PROBLEMS_MAX;

function reportProblem(
  reading: ReadState,
  message: string,
  rule: ProblemRule,
  phase: Problem["phase"] = "shape",
  ...inside: readonly string[]
): undefined {
  const { path, problems } = reading;
  if (!isFull(reading)) problems.push({ ...problem([...path, ...inside], message, rule, phase), hasWirePath: true });
  return undefined;
}
