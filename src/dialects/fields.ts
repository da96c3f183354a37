import { required } from "../base/required.ts";

/** The words in which wire shapes are written down: from them come reading, writing, errors and the API description. */

export type FieldKind =
  | "text"
  | "id"
  | "flag"
  | "amount"
  | "number"
  | "integer"
  | "instant"
  | "link"
  | "address"
  | "json"
  | "shape";

/** `of` is the name of the shape, where the kind is "shape". */
export type Field = FieldOptions &
  (
    | { readonly kind: "shape"; readonly of: string }
    | { readonly kind: Exclude<FieldKind, "shape">; readonly of?: undefined }
  );

type FieldOptions = {
  readonly many?: true;
  readonly choices?: readonly string[];
  /** The values there are today. Unlike `choices`, others can be read: whether they are refused is decided elsewhere. */
  readonly known?: readonly string[];
  /** Owned by the service: shown, and ignored when sent, so that a client may send back what it read. */
  readonly readOnly?: true;
  /** What comes with a new object is read as this shape; a change of the object ignores the field as any read-only one. */
  readonly newAs?: string;
  /** Always there in answers. */
  readonly always?: true;
  /** Shown even when empty; other empty lists and objects are left out. */
  readonly evenEmpty?: true;
  /** Known in the sandbox only. */
  readonly sandboxOnly?: true;
};

export type Shape = { readonly [name: string]: Field };
export type Shapes = { readonly [name: string]: Shape };

/** The shape of this name. Throws if there is none, which is a mistake in the tables of fields. */
export const shapeNamed = <AnyShape extends Shape>(
  shapes: { readonly [name: string]: AnyShape },
  name: string,
): AnyShape => required(shapes[name], `shape ${name}`);

/**
 * A field of a wire shape with its documentation. The OpenAPI descriptions, the reference and the doc comments of the client
 * are made from it, so a sentence says what its reader cannot guess: the meaning, the unit, who sets it and when it appears.
 */
export type DescribedField = Field & {
  readonly description: string;
  /** A value as it appears in JSON. For a shape: what differs here from the examples of the shape's own fields. */
  readonly example?: unknown;
};
export type DescribedShape = { readonly [name: string]: DescribedField };
export type DescribedShapes = { readonly [name: string]: DescribedShape };

/** Compares a shape with the domain's type: each has every field of the other. */
export type ShapeOf<Thing> = { readonly [Name in keyof Required<Thing> & string]: DescribedField };

export const text = { kind: "text" } as const satisfies Field;
/** 32 hex digits. */
export const id = { kind: "id" } as const satisfies Field;
export const flag = { kind: "flag" } as const satisfies Field;
/** Money and other decimals that are printed with a fraction, `500.0`. */
export const amount = { kind: "amount" } as const satisfies Field;
/** A decimal that is printed as it is, `5`. */
export const number = { kind: "number" } as const satisfies Field;
export const integer = { kind: "integer" } as const satisfies Field;
export const instant = { kind: "instant" } as const satisfies Field;
/** A path below the API's root, shown as the absolute address. */
export const link = { kind: "link" } as const satisfies Field;

/** An absolute address. A path of the service, which starts with a slash, is shown below the address of the service. */
export const address = { kind: "address" } as const satisfies Field;

/** Any value. What is written is its JSON text. Clients do not send it. */
export const json = { kind: "json" } as const satisfies Field;

export const oneOf = <Choice extends string>(choices: readonly Choice[]) =>
  ({ kind: "text", choices }) as const satisfies Field;
export const objectOf = (of: string) => ({ kind: "shape", of }) as const satisfies Field;
export const arrayOf = (of: string) => ({ kind: "shape", of, many: true }) as const satisfies Field;

type ExampleOf<Type extends Field> = Type extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : Type["kind"] extends "flag"
    ? boolean
    : Type["kind"] extends "amount" | "number" | "integer"
      ? number
      : string;

/** The compiler requires an example of the right type for every scalar. */
type ExampleArgument<Type extends Field> = Type["kind"] extends "shape"
  ? [differences?: { readonly [name: string]: unknown }]
  : [example: ExampleOf<Type>];

/** A field that the client sends. */
export const field = <Type extends Field>(
  type: Type,
  description: string,
  ...[example]: ExampleArgument<Type>
): DescribedField => ({ ...type, description, ...(example !== undefined && { example }) });

/** A field that the service sets: shown, and ignored when sent. */
export const readOnly = <Type extends Field>(
  type: Type,
  description: string,
  ...example: ExampleArgument<Type>
): DescribedField => ({ ...field(type, description, ...example), readOnly: true });

/** A field that the service sets and that every response has. */
export const alwaysPresent = <Type extends Field>(
  type: Type,
  description: string,
  ...example: ExampleArgument<Type>
): DescribedField => ({ ...readOnly(type, description, ...example), always: true });

/** A field that every response has, of an object that nobody sends: so it is not marked as one of the service. */
export const inEveryResponse = <Type extends Field>(
  type: Type,
  description: string,
  ...example: ExampleArgument<Type>
): DescribedField => ({ ...field(type, description, ...example), always: true });

/** A text with its English and Russian versions. Their sentences refer to the one in the buyer's own language. */
export const translated = <Name extends string>(
  name: Name,
  description: string,
  [example, russian]: readonly [string, string],
  make: typeof field | typeof readOnly = field,
) =>
  ({
    [name]: make(text, description, example),
    [`${name}_en`]: make(text, `English version of \`${name}\`. Optional; set by whoever sets \`${name}\`.`, example),
    [`${name}_ru`]: make(text, `Russian version of \`${name}\`. Optional; set by whoever sets \`${name}\`.`, russian),
    // The compiler widens computed names to `string`.
  }) as { readonly [key in Name | `${Name}_en` | `${Name}_ru`]: DescribedField };

/** The part of a shape that these fields make up, in the shape's own order. */
export const pickFields = <Known extends Field>(shape: { readonly [name: string]: Known }, names: readonly string[]) =>
  Object.fromEntries(Object.entries(shape).filter(([name]) => names.includes(name)));
