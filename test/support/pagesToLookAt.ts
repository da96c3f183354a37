/** The pages of a portal that people look at: one of each kind, and the tender pages of each status and procedure. */

/** A page and a name for it, which can be that of a file. */
export type NamedPage = { readonly name: string; readonly path: string };

const STANDING_PAGES: readonly NamedPage[] = [
  { name: "home", path: "/" },
  { name: "search", path: "/tenders" },
  { name: "search-words", path: "/tenders?q=послуги" },
  { name: "search-filtered", path: "/tenders?status=complete&sort=value" },
  { name: "search-empty", path: "/tenders?q=zzzzzz" },
  { name: "search-wrong", path: "/tenders?status=nonsense&value_min=much" },
  { name: "search-category", path: "/tenders?cpv=45" },
  { name: "search-names", path: "/tenders?buyer=міста&supplier=тов" },
  { name: "buyers", path: "/buyers" },
  { name: "suppliers-words", path: "/suppliers?q=тов" },
  { name: "auctions", path: "/auctions" },
  { name: "calendar", path: "/calendar" },
  { name: "statistics", path: "/statistics" },
  { name: "data", path: "/data" },
  { name: "about", path: "/about" },
  { name: "accessibility", path: "/accessibility" },
  { name: "privacy", path: "/privacy" },
  { name: "status", path: "/status" },
  { name: "not-found", path: "/nothing/here" },
];

type FeedTender = {
  readonly id: string;
  readonly status: string;
  readonly procurementMethodType?: string;
  readonly procuringEntity?: { readonly identifier?: { readonly scheme?: string; readonly id?: string } };
  readonly auctionPeriod?: { readonly startDate?: string };
  readonly lots?: readonly unknown[];
};

const FIELDS = "status,procurementMethodType,procuringEntity,auctionPeriod,lots";

/** Finds tenders to look at in the feed of the service. */
export async function portalPages(url: string): Promise<readonly NamedPage[]> {
  const feed = await fetch(`${url}/api/2.5/tenders?limit=100&descending=1&opt_fields=${FIELDS}`);
  const { data } = (await feed.json()) as { readonly data: readonly FeedTender[] };
  const kinds = new Map<string, FeedTender>();
  for (const tender of data) {
    const { status, procurementMethodType = "untyped", lots = [] } = tender;
    kinds.set(`tender-${procurementMethodType}-${status}${lots.length > 0 ? "-lots" : ""}`, tender);
  }
  const tenders = [...kinds].map(([name, { id }]) => ({ name, path: `/tenders/${id}` }));
  const complete = data.find(({ status }) => status === "complete") ?? data[0];
  if (!complete) return STANDING_PAGES;
  const { scheme, id } = complete.procuringEntity?.identifier ?? {};
  return [
    ...STANDING_PAGES,
    ...tenders,
    { name: "tender-print", path: `/tenders/${complete.id}?view=print` },
    { name: "tender-past", path: await pastPath(url, complete.id) },
    { name: "tender-items", path: `/tenders/${complete.id}?show=items` },
    { name: "changes", path: `/tenders/${complete.id}/changes` },
    { name: "changes-compared", path: `/tenders/${complete.id}/changes?from=1&to=5` },
    { name: "buyer", path: `/buyers/${encodeURIComponent(`${scheme}-${id}`)}` },
    ...(await supplierPages(url, complete.id)),
  ];
}

/** The page of a tender as it was in its second version. */
async function pastPath(url: string, tender: string): Promise<string> {
  const history = await fetch(`${url}/api/2.5/tenders/${tender}/history?limit=1&offset=1`);
  const { data } = (await history.json()) as { readonly data: readonly { readonly date: string }[] };
  return `/tenders/${tender}?at=${encodeURIComponent(data[0]?.date ?? "")}`;
}

async function supplierPages(url: string, tender: string): Promise<readonly NamedPage[]> {
  const page = await (await fetch(`${url}/tenders/${tender}`)).text();
  const [, path] = /href="(\/suppliers\/[^"?]+)"/.exec(page) ?? [];
  return path === undefined ? [] : [{ name: "supplier", path }];
}
