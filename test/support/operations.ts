import { readFileSync } from "node:fs";

/** The operations that are described, of a version or of what is beside the versions (`site`). */

const METHODS = ["get", "post", "put", "patch", "delete"];

type Content = { readonly content?: { readonly [type: string]: unknown } };
type Description = {
  readonly servers: readonly [{ readonly url: string }];
  readonly paths: {
    readonly [path: string]: {
      readonly [method: string]: { readonly responses: { readonly [status: string]: Content } };
    };
  };
};

export type DescribedOperation = {
  readonly method: string;
  /** From the address of the registry on, with the names of its ids in braces. */
  readonly path: string;
  /** What a good answer has for its status, and the types that it comes in. */
  readonly status: number;
  readonly types: readonly string[];
};

export function operationsOf(name: string): readonly DescribedOperation[] {
  const { servers, paths } = JSON.parse(readFileSync(`docs/api/${name}.json`, "utf8")) as Description;
  const root = servers[0].url.replace(/\/$/, "");
  return Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method]).map((method) => {
      const [status, { content = {} }] = Object.entries(methods[method]!.responses).find(([code]) => /^2/.test(code))!;
      return { method: method.toUpperCase(), path: root + path, status: Number(status), types: Object.keys(content) };
    }),
  );
}
