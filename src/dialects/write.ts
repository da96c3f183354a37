import { isPlain } from "../domain/merge.ts";
import { type Decimal, withFraction } from "../domain/money.ts";
import { formatInstant, type Zone } from "../domain/time.ts";
import type { Field, Shape, Shapes } from "./fields.ts";

declare global {
  interface JSON {
    /** Stands for exactly this text when stringified: decimals go out digit by digit. */
    rawJSON(text: string): unknown;
  }
}

type Wire = (value: unknown, root: string) => unknown;

/** Turns typed values into what is sent: exactly the fields of the shape, in its order, nothing empty. */
export function writerOf(shapes: Shapes, zone: Zone) {
  const writers = new Map<string, Wire>();
  const writerFor = (name: string): Wire => {
    const known = writers.get(name);
    if (known) return known;
    const made = objectWriter(shapes[name]!, zone, writerFor);
    writers.set(name, made);
    return made;
  };
  /** `root` is the absolute address of the API's version, which links are shown under. */
  return (shape: string, value: unknown, root: string): unknown => writerFor(shape)(value, root) ?? {};
}

function objectWriter(shape: Shape, zone: Zone, writerFor: (name: string) => Wire): Wire {
  const fields = Object.entries(shape).map(([name, spec]) => [name, fieldWriter(spec, zone, writerFor)] as const);
  return (value, root) => {
    if (!isPlain(value)) return undefined;
    const wire: { [name: string]: unknown } = {};
    let empty = true;
    for (const [name, write] of fields) {
      const inner = value[name];
      if (inner === undefined || inner === null) continue;
      const written = write(inner, root);
      if (written === undefined) continue;
      wire[name] = written;
      empty = false;
    }
    return empty ? undefined : wire;
  };
}

function fieldWriter(field: Field, zone: Zone, writerFor: (name: string) => Wire): Wire {
  switch (field.kind) {
    case "shape":
      return field.many ? listWriter(field, writerFor) : (value, root) => writerFor(field.of!)(value, root);
    case "amount":
      return (value) => JSON.rawJSON(withFraction(value as Decimal));
    case "number":
      return (value) => JSON.rawJSON(value as Decimal);
    case "instant":
      return (value) => formatInstant(value as number, zone);
    case "link":
      return (value, root) => root + value;
    default:
      return (value) => value;
  }
}

function listWriter(field: Field, writerFor: (name: string) => Wire): Wire {
  return (value, root) => {
    const list = value as readonly unknown[];
    if (list.length === 0 && !field.evenEmpty) return undefined;
    const write = writerFor(field.of!);
    return list.map((element) => write(element, root) ?? {});
  };
}
