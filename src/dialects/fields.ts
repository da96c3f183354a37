/** The words in which wire shapes are written down: from them come reading, writing, errors and the API description. */

export type FieldKind = "text" | "id" | "flag" | "amount" | "number" | "integer" | "instant" | "link" | "shape";

export type Field = {
  readonly kind: FieldKind;
  /** The name of the shape, where the kind is "shape". */
  readonly of?: string;
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

/** Holds a shape to the domain's type: every field of the one has a place in the other. */
export type ShapeOf<Thing> = { readonly [Name in keyof Required<Thing> & string]: Field };

export const text: Field = { kind: "text" };
/** 32 hex digits. */
export const id: Field = { kind: "id" };
export const flag: Field = { kind: "flag" };
/** Money and other decimals that are printed with a fraction, `500.0`. */
export const amount: Field = { kind: "amount" };
/** A decimal that is printed as it is, `5`. */
export const number: Field = { kind: "number" };
export const integer: Field = { kind: "integer" };
export const instant: Field = { kind: "instant" };
/** A path below the API's root, shown as the absolute address. */
export const link: Field = { kind: "link" };

export const oneOf = (choices: readonly string[]): Field => ({ kind: "text", choices });
export const objectOf = (of: string): Field => ({ kind: "shape", of });
export const arrayOf = (of: string): Field => ({ kind: "shape", of, many: true });
export const readOnly = (field: Field): Field => ({ ...field, readOnly: true });
/** Sent with a new object in the form of another shape, and owned by the service from then on. */
export const readOnlyOnceCreated = (field: Field, newAs: string): Field => ({ ...readOnly(field), newAs });
export const alwaysPresent = (field: Field): Field => ({ ...field, readOnly: true, always: true });

export const translated = <Name extends string>(name: Name, field: Field = text) =>
  ({ [name]: field, [`${name}_en`]: field, [`${name}_ru`]: field }) as {
    readonly [key in Name | `${Name}_en` | `${Name}_ru`]: Field;
  };

/** The part of a shape that these fields make up, in the shape's own order. */
export const pickFields = (shape: Shape, names: readonly string[]): Shape =>
  Object.fromEntries(Object.entries(shape).filter(([name]) => names.includes(name)));
