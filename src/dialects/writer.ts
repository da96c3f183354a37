import { type Decimal, withFraction } from "../domain/values/decimal.ts";
import { openListTexts } from "../domain/values/listTexts.ts";
import { isPlainObject } from "../domain/values/merge.ts";
import { formatInstant, type Instant, type Zone } from "../domain/values/time.ts";
import { type Field, type Shape, type Shapes, shapeNamed } from "./fields.ts";

/** The JSON text of a value, or nothing where there is nothing to show. */
type WriteValue = (value: unknown, root: string, only?: ReadonlySet<string>) => string | undefined;

/**
 * Turns typed values into the JSON that is sent: exactly the fields of the shape, in its order, nothing empty. It writes
 * text at once, so that decimals go out digit by digit and nothing is built only to be taken apart again.
 */
export function createWriter(shapes: Shapes, zone: Zone, pathOf: (path: string) => string) {
  const writers = new Map<string, WriteValue>();
  const scalars: ScalarFormat = { printInstant: instantPrinter(zone), pathOf };
  const writerFor = (name: string): WriteValue => {
    const known = writers.get(name);
    if (known) return known;
    const writer = objectWriter(shapeNamed(shapes, name), scalars, writerFor);
    writers.set(name, writer);
    return writer;
  };
  /** `root` is the absolute address of the API's version, which links are shown under; `only` leaves out other fields. */
  return (shape: string, value: unknown, root: string, only?: ReadonlySet<string>): string =>
    writerFor(shape)(value, root, only) ?? "{}";
}

/** What single values are written with: times in their zone, and what paths are called here. */
type ScalarFormat = { readonly printInstant: (at: Instant) => string; readonly pathOf: (path: string) => string };

const INSTANTS_KNOWN = 16;

/** What happens at one moment stands in several fields, so the last few are remembered as they were written. */
function instantPrinter(zone: Zone): (at: Instant) => string {
  const known = Array.from({ length: INSTANTS_KNOWN }, () => ({ at: Number.NaN, text: "" }));
  return (at) => {
    // The mask keeps the index within the list.
    const slot = known[at & (INSTANTS_KNOWN - 1)]!;
    if (slot.at !== at) {
      slot.at = at;
      slot.text = `"${formatInstant(at, zone)}"`;
    }
    return slot.text;
  };
}

function objectWriter(shape: Shape, scalars: ScalarFormat, writerFor: (name: string) => WriteValue): WriteValue {
  const fields = Object.entries(shape).map(([name, spec]) => ({
    name,
    first: `{${JSON.stringify(name)}:`,
    later: `,${JSON.stringify(name)}:`,
    write: fieldWriter(spec, scalars, writerFor),
  }));
  return (value, root, only) => {
    if (!isPlainObject(value)) return undefined;
    let text = "";
    for (const { name, first, later, write } of fields) {
      const inner = value[name];
      if (inner === undefined || inner === null || (only && !only.has(name))) continue;
      const written = write(inner, root);
      if (written !== undefined) text += (text === "" ? first : later) + written;
    }
    return text === "" ? undefined : `${text}}`;
  };
}

function fieldWriter(
  field: Field,
  { printInstant, pathOf }: ScalarFormat,
  writerFor: (name: string) => WriteValue,
): WriteValue {
  // Values have the type that their field declares: `ShapeOf` compares the tables of fields with the types of the views.
  switch (field.kind) {
    case "shape": {
      let inner: WriteValue | undefined;
      const write: WriteValue = (value, root) => {
        inner ??= writerFor(field.of);
        return inner(value, root);
      };
      return field.many ? listWriter(write, field.evenEmpty === true) : write;
    }
    case "amount":
      return (value) => withFraction(value as Decimal);
    case "number":
      return (value) => value as Decimal;
    case "json":
      return String;
    case "instant":
      return (value) => printInstant(value as number);
    case "link":
      return (value, root) => JSON.stringify(root + pathOf(value as string));
    case "address":
      return (value, root) => quoted(absoluteAddress(String(value), root));
    case "text":
    case "id":
      return (value) => quoted(value as string);
    default:
      return (value) => JSON.stringify(value);
  }
}

/** `root` is the address of the service with `/api/` and the version. */
const absoluteAddress = (value: string, root: string): string =>
  value.startsWith("/") ? root.replace(/\/api\/[^/]*$/, "") + value : value;

const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Most texts are their own JSON, and asking is cheaper than escaping. */
export const quoted = (text: string): string => (NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`);

function listWriter(write: WriteValue, evenEmpty: boolean): WriteValue {
  const listTexts = openListTexts();
  /** The only root for which texts are kept: all clients but a few use the same. */
  let keptRoot: string | undefined;
  const writeAll = (list: readonly unknown[], root: string): string => {
    let text = write(list[0], root) ?? "{}";
    for (let i = 1; i < list.length; i++) text += `,${write(list[i], root) ?? "{}"}`;
    return `[${text}]`;
  };
  return (value, root) => {
    // Only fields that hold lists are written by this.
    const list = value as readonly unknown[];
    if (list.length === 0) return evenEmpty ? "[]" : undefined;
    keptRoot ??= root;
    return root === keptRoot ? listTexts(list, (long) => writeAll(long, root)) : writeAll(list, root);
  };
}
