import { hasCollection, OPTIONAL_COLLECTIONS, type OptionalCollection } from "../domain/procedures/collections.ts";
import type { Procedure } from "../domain/procedures/procedure.ts";

/** Where the collections are that not every procedure has. */
const COLLECTION_PATHS: { readonly [collection in OptionalCollection]: string } = {
  lots: "/tenders/{tender_id}/lots",
  questions: "/tenders/{tender_id}/questions",
  bids: "/tenders/{tender_id}/bids",
  auction: "/tenders/{tender_id}/auction",
  complaints: "/tenders/{tender_id}/complaints",
  "award complaints": "/tenders/{tender_id}/awards/{award_id}/complaints",
};

const collectionOf = (route: string): OptionalCollection | undefined =>
  OPTIONAL_COLLECTIONS.find((collection) => {
    const path = COLLECTION_PATHS[collection];
    return route === path || route.startsWith(`${path}/`);
  });

/** Whether a tender of this procedure has the path of the route, given as in the route table. */
export function isRouted(route: string, procedure: Procedure): boolean {
  const collection = collectionOf(route);
  return collection === undefined || hasCollection(procedure, collection);
}
