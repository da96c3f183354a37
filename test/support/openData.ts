import type { Release } from "../../src/ocds/merge.ts";
import { waitUntil } from "./processes.ts";
import { expectStatus, type TestResponse } from "./world.ts";

/** Reading the open data of a server, as a program does that knows only the standard. */

/** The prefix of open contracting ids in a sandbox. */
export const OCID_PREFIX = "ocds-213czf";

/** Requests a path of a server, or an address that the server named, whatever its public address is. */
export async function readOpenData({ url }: { readonly url: string }, address: string): Promise<TestResponse> {
  const { pathname, search } = new URL(address, url);
  const response = await fetch(`${url}${pathname}${search}`);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

/** All releases, read by following `links.next`. A registry without releases has none. */
export async function allReleases(server: { readonly url: string }, query = ""): Promise<readonly Release[]> {
  const releases: Release[] = [];
  for (let next: string | undefined = `/ocds/releases?${query}`; next !== undefined; ) {
    const response: TestResponse = await readOpenData(server, next);
    if (response.status === 404 && releases.length === 0) return [];
    const { body } = expectStatus(200, response);
    releases.push(...body.releases);
    next = body.links?.next;
  }
  return releases;
}

/** The releases of a tender, as the tender itself shows them. */
export const releasesOf = async (server: { readonly url: string }, id: string): Promise<readonly Release[]> =>
  expectStatus(200, await readOpenData(server, `/api/2.5/tenders/${id}?opt_schema=ocds`)).body.releases;

/** Follows releases until as many as are expected were seen. The last page is requested again until it has a next one. */
export async function followReleases(
  server: { readonly url: string },
  query: string,
  expectedCount: Promise<number>,
): Promise<readonly Release[]> {
  const seen = new Map<string, Release>();
  let page = `/ocds/releases?${query}`;
  let count = Number.POSITIVE_INFINITY;
  void expectedCount.then((known) => {
    count = known;
  });
  const readPage = async (): Promise<boolean> => {
    const { status, body } = await readOpenData(server, page);
    const releases: readonly Release[] = status === 404 ? [] : body.releases;
    for (const release of releases) seen.set(release.id, release);
    page = (status === 200 && body.links?.next) || page;
    return seen.size >= count;
  };
  await waitUntil(readPage, () => `only ${seen.size} of ${count} releases were seen`);
  return [...seen.values()];
}
