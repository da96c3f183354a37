import { changeBody, tenderBody } from "../bodies.ts";
import { type BenchRequest, fetchCanned, publish, TENDERS } from "../requests.ts";
import { type BenchRow, inProcessorTime, loadOf, type RowContext, type RowPlan, underLoad } from "../rows.ts";

/** The public history of a tender, replayed from its ledger for each request. */

const CHANGES = 1000;
/** More than the response cache holds, so that each request is handled. */
const ADDRESSES = 500;
const HISTORIES = "/api/2.5/tenders";

async function publishWithChanges(url: string): Promise<string> {
  const [tender] = await publish(url, 1, tenderBody());
  if (!tender) throw new Error("no tender was published");
  const { id, token } = tender;
  for (let i = 1; i <= CHANGES; i++) {
    const body = changeBody(i % 2 === 0 ? 0 : 1);
    const { status } = await fetchCanned(url, { method: "PATCH", path: `${TENDERS}/${id}?acc_token=${token}`, body });
    if (status !== 200) throw new Error(`changing a tender: ${status}`);
  }
  return id;
}

/** The same read under many addresses. */
const readsOf = (path: string): readonly BenchRequest[] =>
  Array.from({ length: ADDRESSES }, (_, i) => ({ method: "GET", path: `${path}&utm_content=${i}` }));

async function prepareHistory({ servers }: RowContext): Promise<BenchRow> {
  const server = await servers.startProduct("history", {});
  const id = await publishWithChanges(server.url);
  const middle = await fetchCanned(server.url, {
    method: "GET",
    path: `${HISTORIES}/${id}/history?offset=500&limit=1`,
  });
  const { data } = JSON.parse(middle.body) as { data: readonly { readonly date: string }[] };
  const at = encodeURIComponent(data[0]?.date ?? "");
  const measured = (name: string, path: string, atMost: number) =>
    inProcessorTime(underLoad(name, server, loadOf(server.url, readsOf(path), 4), { target: { atMost } }));
  return {
    unit: "us",
    compared: `the processor time of a request about the history of a tender with ${CHANGES} changes: its first and its last hundred versions, the tender as it was in the middle, and the page with its last changes`,
    contestants: [
      measured("first versions", `${HISTORIES}/${id}/history?limit=100`, 20_000),
      measured("last versions", `${HISTORIES}/${id}/history?descending=1&limit=100`, 30_000),
      measured("?at=", `${HISTORIES}/${id}?at=${at}`, 20_000),
      measured("page", `/tenders/${id}/changes?utm_source=bench`, 40_000),
    ],
    end: () => server.stop(),
  };
}

export const HISTORY: readonly RowPlan[] = [
  { name: "history of 1,000 changes", hasTarget: true, roundsMax: 5, prepare: prepareHistory },
];
