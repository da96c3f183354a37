import { type DescribedField, type DescribedShapes, shapeNamed } from "./fields.ts";

/** Examples of fields: of a scalar its own, of a shape those of the shape's fields. */

/** `root` is the absolute address of the API's version, which links are shown under. */
export function exampleOf(field: DescribedField, shapes: DescribedShapes, root: string): unknown {
  if (field.kind === "link") return root + field.example;
  if (field.kind !== "shape") return field.example;
  // `field()` takes as the example of a shape only an object of differences.
  const example = { ...exampleOfShape(field.of, shapes, root), ...(field.example as object | undefined) };
  return field.many ? [example] : example;
}

const TRANSLATION = /_(en|ru)$/;

/**
 * Small enough to stand at every place where the shape is used: of a resource, what every response has of it; of anything
 * else, what a client may send.
 */
function exampleOfShape(name: string, shapes: DescribedShapes, root: string): object {
  const fields = Object.entries(shapeNamed(shapes, name));
  const identity = fields.filter(([, { always }]) => always);
  const sent = fields.filter(([field, { readOnly }]) => !readOnly && !TRANSLATION.test(field));
  const shown = identity.length > 1 ? identity : sent.length > 0 ? sent : fields;
  return Object.fromEntries(shown.map(([field, spec]) => [field, exampleOf(spec, shapes, root)]));
}
