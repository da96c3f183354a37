import { readFileSync } from "node:fs";

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

/** An operation in an API description. */
export type DescribedOperation = {
  readonly method: string;
  /** The path template from the address of the registry on: `/api/2.5/tenders/{tender_id}`. */
  readonly path: string;
  /** The status of a successful response, and its media types. */
  readonly status: number;
  readonly types: readonly string[];
};

/** The operations of docs/api/NAME.json: a version, or `site`. */
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
