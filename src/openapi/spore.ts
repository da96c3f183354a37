import { ROUTES } from "../api/routes.ts";
import type { Dialect } from "../dialects/dialects.ts";

/** The list of methods in the old SPORE form, which old clients ask for first. */
export function describeSpore(dialect: Dialect, origin: string): unknown {
  // Those clients know nothing that is not JSON.
  const listed = ROUTES.filter(({ methods }) => !methods.GET?.response.events);
  const methods = listed.flatMap(({ path, methods }) =>
    Object.entries(methods).map(([method, { summary }]) => [
      `${method.toLowerCase()}_${path.replace(/[{}]/g, "").slice(1).replaceAll("/", "_")}`,
      {
        path: path.replaceAll(/\{(\w+)\}/g, ":$1").replace("/bids", `/${dialect.bidPaths[0]}`),
        method,
        formats: ["json"],
        required_params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
        description: summary,
      },
    ]),
  );
  return {
    name: "Tenderhall",
    version: dialect.segment,
    base_url: `${origin}/api/${dialect.segment}`,
    expected_status: [200],
    methods: Object.fromEntries(methods),
  };
}
