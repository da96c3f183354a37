import type { Dialect } from "../dialects/dialects.ts";

export function describeApi(dialect: Dialect): unknown {
  return { openapi: "3.1.0", info: { title: "Tenderhall", version: dialect.segment } };
}
