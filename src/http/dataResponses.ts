import type { ShapeName } from "../dialects/newestShapes.ts";
import type { Exchange } from "./exchange.ts";
import type { HttpResponse } from "./responses.ts";

/** Successful responses, in the shapes of the client's API version. */

type Addressed = Pick<Exchange, "dialect" | "root">;

/** The JSON of one value, with absolute links. */
export const renderShape = ({ dialect, root }: Addressed, shape: ShapeName, value: unknown): string =>
  dialect.write(shape, value, root);

/** 200 with one value. */
export const okResponse = (exchange: Addressed, shape: ShapeName, value: unknown): HttpResponse => ({
  status: 200,
  json: `{"data":${renderShape(exchange, shape, value)}}`,
});

/** 200 with a list. */
export const listResponse = (exchange: Addressed, shape: ShapeName, values: readonly unknown[]): HttpResponse => ({
  status: 200,
  json: `{"data":[${values.map((value) => renderShape(exchange, shape, value)).join(",")}]}`,
});

/** 201 with the URL of the new resource in `Location`, and with its owner token if it has one. */
export function createdResponse(
  exchange: Addressed & Pick<Exchange, "path">,
  shape: ShapeName,
  value: unknown,
  id: string,
  token?: string,
): HttpResponse {
  return {
    status: 201,
    headers: { Location: `${exchange.root}${exchange.path}/${id}` },
    json: `{"data":${renderShape(exchange, shape, value)}${token ? `,"access":{"token":"${token}"}` : ""}}`,
  };
}
