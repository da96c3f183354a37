import { openClient } from "../../src/client/index.ts";
import { bidBody, tenderBody } from "../bodies.ts";
import type { BenchRow, Contestant, RowContext, RowPlan, Sample } from "../rows.ts";

/** A complete procedure from enquiries to contract, by one client that moves a test clock. */

/** The target that integrators rely on. */
const MS_MAX = 1000;

async function prepareProcedure({ servers }: RowContext): Promise<BenchRow> {
  const contestants: Contestant[] = [];
  for (const name of servers.products.filter((which) => !which.endsWith("x2"))) {
    const server = await servers.product(name);
    contestants.push({ name, run: () => runProcedure(server.url), server, target: { atMost: MS_MAX } });
  }
  return {
    unit: "ms",
    isUnloaded: true,
    compared:
      "a tender on a test clock, by the typed client, one request after the other: a question and its answer, two bids, the " +
      "auction's results, the award, the stand-still, the signed contract",
    contestants,
  };
}

const dataIn = (body: string) => JSON.parse(body).data;

async function runProcedure(url: string): Promise<Sample> {
  const [client, auctioneer] = ["broker", "auction"].map((key) => openClient({ url, key, retries: 0 }));
  const started = performance.now();
  const { clocks, tenders, questions, bids, awards, contracts } = client!;
  const clock = (await clocks.create()).data.id;
  const { id } = (await tenders.create(dataIn(tenderBody()), { clock })).data;
  const author = dataIn(bidBody()).tenderers[0];
  const question = await questions.create(id, { title: "Чи є сніданки?", author });
  await questions.patch(id, question.data.id, { answer: "Лише обіди." });
  await clocks.advance(clock, { next: true });
  for (const amount of [480_000, 470_000]) await bids.create(id, { ...dataIn(bidBody()), value: { amount } });
  await clocks.advance(clock, { next: true });
  await auctioneer!.auction.finish(id, {});
  const [award] = (await awards.list(id)).data;
  await awards.patch(id, award!.id, { status: "active" });
  await clocks.advance(clock, { by: "P30D" });
  const [contract] = (await contracts.list(id)).data;
  await contracts.patch(id, contract!.id, { status: "active" });
  const { status } = (await tenders.get(id)).data;
  const value = performance.now() - started;
  if (status !== "complete") throw new Error(`the procedure ended as ${status}`);
  return { value };
}

export const PROCEDURE: readonly RowPlan[] = [
  { name: "whole procedure on a test clock", hasTarget: true, prepare: prepareProcedure },
];
