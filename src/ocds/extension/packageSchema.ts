import { type SchemaPart, webAddress } from "./schemaParts.ts";

/** What our extension adds to the schemas of packages, as a JSON Merge Patch: the pages of a list are packages with links. */
export const PACKAGE_SCHEMA: { readonly properties: { readonly [name: string]: SchemaPart } } = {
  properties: {
    links: {
      title: "Links",
      description: "Where the other pages are, if the package is a page of a longer list.",
      type: "object",
      properties: {
        next: webAddress(
          "Next page",
          "The page after this one. The last page has none until there is something on it.",
        ),
        prev: webAddress("Previous page", "The page before this one. The first page has none."),
      },
    },
  },
};
