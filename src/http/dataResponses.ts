import type { ShapeName } from "../dialects/newest.ts";
import type { Answer } from "./answers.ts";
import type { Exchange } from "./exchange.ts";

/** Successful responses, in the words of the version that the client speaks. */

type Addressed = Pick<Exchange, "dialect" | "root">;

/** The JSON of one value. */
export const shown = ({ dialect, root }: Addressed, shape: ShapeName, value: unknown): string =>
  dialect.write(shape, value, root);

/** 200 with one value. */
export const found = (exchange: Addressed, shape: ShapeName, value: unknown): Answer => ({
  status: 200,
  json: `{"data":${shown(exchange, shape, value)}}`,
});

/** 200 with a list. */
export const foundAll = (exchange: Addressed, shape: ShapeName, values: readonly unknown[]): Answer => ({
  status: 200,
  json: `{"data":[${values.map((value) => shown(exchange, shape, value)).join(",")}]}`,
});

/** 201 with the address of the new resource, and with its owner token where it has an owner. */
export function created(
  exchange: Addressed & Pick<Exchange, "path">,
  shape: ShapeName,
  value: unknown,
  id: string,
  token?: string,
): Answer {
  return {
    status: 201,
    headers: { Location: `${exchange.root}${exchange.path}/${id}` },
    json: `{"data":${shown(exchange, shape, value)}${token ? `,"access":{"token":"${token}"}` : ""}}`,
  };
}
