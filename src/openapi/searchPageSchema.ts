import { PROCUREMENT_METHOD_TYPES } from "../domain/procedures/names.ts";
import { SEARCH_FACETS, type SearchFacet } from "../indexing/searchQuery.ts";
import { EXAMPLE_ORIGIN, objectSchema } from "./openapiBuilders.ts";
import { entrySchema, exampleEntry, type SchemaSettings } from "./openapiSchemas.ts";

/** A page of the results of a search. */
export function searchPageSchema(settings: SchemaSettings): object {
  const path = `/api/${settings.segment}/search`;
  return {
    description: "A page of the results of a search.",
    ...objectSchema(
      {
        data: {
          type: "array",
          items: entrySchema(settings),
          description:
            "The tenders: their main fields, or those of `opt_fields`. A tender that has changed since the search may be missing.",
          examples: [[exampleEntry(settings)]],
        },
        total: { type: "integer", description: "The number of results, at most 10,000.", examples: [1] },
        more: { type: "boolean", description: "Whether there are more results than `total`.", examples: [false] },
        incomplete: {
          const: true,
          description: "Present while older tenders are still being added to the search after an upgrade.",
          examples: [true],
        },
        facets: {
          ...objectSchema(Object.fromEntries(SEARCH_FACETS.map((facet) => [facet, FACET])), SEARCH_FACETS),
          description:
            "How many results have each status, procedure, CPV division, region, buyer and supplier, the highest number first. Each is " +
            "counted without its own filter, and among the newest 10,000 results. `category` has the CPV categories right below those " +
            "of the parameter `cpv`, with its filter, and is empty without one. Suppliers are those of opened bids, awards and contracts.",
          examples: [EXAMPLE_FACETS],
        },
        next_page: searchLink("The next page, unless this is the last.", path, 3),
        prev_page: searchLink("The page before, unless this is the first.", path, 1),
      },
      ["data", "total", "more", "facets"],
    ),
  };
}

const EXAMPLE_FACETS = {
  status: [{ value: "active.tendering", count: 1 }],
  procedure: [{ value: PROCUREMENT_METHOD_TYPES[0], count: 1 }],
  division: [{ value: "55", count: 1 }],
  category: [{ value: "553", count: 1 }],
  region: [{ value: "vinnytsia", count: 1 }],
  buyer: [{ value: "UA-EDR-21725150", count: 1 }],
  supplier: [{ value: "UA-EDR-00137256", count: 1 }],
} satisfies { readonly [facet in SearchFacet]: unknown };

const FACET = {
  type: "array",
  description: "Values of the facet, each with a number of results.",
  examples: [[{ value: "active.tendering", count: 1 }]],
  items: objectSchema(
    {
      value: { type: "string", description: "What the filter of that name takes.", examples: ["active.tendering"] },
      count: { type: "integer", description: "The number of results.", examples: [1] },
    },
    ["value", "count"],
  ),
};

function searchLink(description: string, path: string, page: number): object {
  const link = `${path}?q=meals&page=${page}`;
  const uri = `${EXAMPLE_ORIGIN}${link}`;
  return {
    ...objectSchema(
      {
        page: { type: "integer", description: "Value of the parameter `page` that leads there.", examples: [page] },
        path: { type: "string", description: "Path and query of that page, with the same filters.", examples: [link] },
        uri: { type: "string", format: "uri", description: "Absolute address of that page.", examples: [uri] },
      },
      ["page", "path", "uri"],
    ),
    description,
    examples: [{ page, path: link, uri }],
  };
}
