import { setTimeout as pause } from "node:timers/promises";
import { bidBody, changeBody, tenderBody } from "./bodies.ts";
import type { Child } from "./children.ts";
import type { Load } from "./load.ts";
import type { CannedAnswers } from "./messages.ts";
import { API, answerTo, bytesOf, type Made, publish, type Request } from "./requests.ts";

/** What is measured, row by row, in the order in which it runs. */

export type Servers = { readonly product: Child; readonly single: Child; readonly bare: Child };

export type Contestant = {
  readonly name: "product" | "bare" | "single commits";
  readonly server: Child;
  readonly load: Load;
  /** Goes on at the same time, and is not counted. */
  readonly beside?: Load;
};

export type Row = {
  readonly name: string;
  /** What exactly stands against what. */
  readonly compared: string;
  /** The first of these is the product; the others are what it is held against. */
  readonly contestants: readonly Contestant[];
  /** The least ratio of the product to each of the others, where one is asked for. */
  readonly targets: readonly (number | undefined)[];
};

export type Plan = {
  readonly name: string;
  readonly hasTarget?: true;
  readonly prepare: (servers: Servers) => Promise<Omit<Row, "name">>;
};

const CONNECTIONS = 32;
const SPREAD = 1000;
const TENDERS = `${API}/tenders`;

const loadOf = (url: string, requests: readonly Request[], expected: number): Load => {
  const ready = requests.map((request) => bytesOf(url, request));
  let i = 0;
  return { url, connections: CONNECTIONS, expected, next: () => ready[i++ % ready.length]! };
};

const statusOf = ({ method }: Request) => (method === "POST" ? 201 : 200);

/** The product and the bare server under the same requests; the bare one answers what the product answered to the first. */
async function sideBySide(servers: Servers, requests: readonly Request[]): Promise<readonly [Contestant, Contestant]> {
  const { product, bare } = servers;
  const [first] = requests;
  const status = statusOf(first!);
  await teach(servers, [first!]);
  return [
    { name: "product", server: product, load: loadOf(product.url, requests, status) },
    { name: "bare", server: bare, load: loadOf(bare.url, requests, status) },
  ];
}

/** Has the bare server answer as the product does, and makes sure that it does so to the byte. */
async function teach({ product, bare }: Servers, requests: readonly Request[]): Promise<void> {
  const answers: { [method: string]: CannedAnswers[string] } = {};
  for (const request of requests) {
    const answer = await answerTo(product.url, request);
    if (answer.status !== statusOf(request)) throw new Error(`${request.path}: ${answer.status} ${answer.body}`);
    answers[request.method] = answer;
  }
  await bare.answerWith(answers);
  for (const request of requests) {
    const wanted = answers[request.method]!;
    const given = await answerTo(bare.url, request);
    if (JSON.stringify(given) !== JSON.stringify(wanted)) throw new Error("the bare server answers something else");
  }
}

const publication = (): Request => ({ method: "POST", path: TENDERS, body: tenderBody() });
const FIRST_PAGE: Request = { method: "GET", path: TENDERS };

async function getOne(servers: Servers) {
  const [made] = await publish(servers.product.url, 1, tenderBody());
  return {
    compared: "one tender read again and again; bare: the same bytes and headers",
    contestants: await sideBySide(servers, [{ method: "GET", path: `${TENDERS}/${made!.id}` }]),
    targets: [0.6],
  };
}

async function getPage(servers: Servers) {
  await publish(servers.product.url, 150, tenderBody());
  const { body } = await answerTo(servers.product.url, FIRST_PAGE);
  const { data } = JSON.parse(body) as { data: readonly unknown[] };
  if (data.length !== 100) throw new Error(`a page of ${data.length} instead of 100`);
  return {
    compared: "the first page of the feed, 100 entries, 150 tenders stored; bare: the same bytes and headers",
    contestants: await sideBySide(servers, [FIRST_PAGE]),
    targets: [0.5],
  };
}

async function getMany(servers: Servers) {
  const made = await publish(servers.product.url, SPREAD, tenderBody());
  return {
    compared: `${SPREAD} tenders read in turn; bare: the bytes of one of them`,
    contestants: await sideBySide(
      servers,
      made.map(({ id }) => ({ method: "GET", path: `${TENDERS}/${id}` })),
    ),
    targets: [undefined],
  };
}

async function getPageAmongWrites(servers: Servers) {
  await teach(servers, [FIRST_PAGE, publication()]);
  const contestant = (name: Contestant["name"], server: Child): Contestant => ({
    name,
    server,
    load: loadOf(server.url, [FIRST_PAGE], 200),
    beside: { ...loadOf(server.url, [publication()], 201), connections: 2, restMs: 10 },
  });
  return {
    compared:
      "the same page while 2 more connections publish tenders, resting 10 ms each time; bare: both the same way",
    contestants: [contestant("product", servers.product), contestant("bare", servers.bare)],
    targets: [undefined],
  };
}

async function postTenders(servers: Servers) {
  const pair = await sideBySide(servers, [publication()]);
  const { single: server } = servers;
  const single: Contestant = { name: "single commits", server, load: loadOf(server.url, [publication()], 201) };
  return {
    compared:
      "tenders published, each on disk before it is answered; bare: the same body parsed, nothing stored, the bytes of" +
      " such an answer; single commits: the product with one commit for each request",
    contestants: [...pair, single],
    targets: [0.4, 1.5],
  };
}

async function patchTenders(servers: Servers) {
  const made = await publish(servers.product.url, SPREAD, tenderBody());
  const change = (wording: 0 | 1) => {
    const body = changeBody(wording);
    return ({ id, token }: Made): Request => ({ method: "PATCH", path: `${TENDERS}/${id}?acc_token=${token}`, body });
  };
  return {
    compared: `the description of ${SPREAD} tenders changed in turn, durably; bare: the body parsed, nothing stored`,
    contestants: await sideBySide(servers, [...made.map(change(1)), ...made.map(change(0))]),
    targets: [undefined],
  };
}

const ENQUIRIES_MS = 4000;
const TENDERING_MAX_MS = 30_000;

async function postBids(servers: Servers) {
  const { url } = servers.product;
  const made = await publish(url, SPREAD, tenderBody(ENQUIRIES_MS));
  const giveUpAt = performance.now() + TENDERING_MAX_MS;
  for (const { id } of made) await untilTendering(url, id, giveUpAt);
  const body = bidBody();
  return {
    compared: `bids placed on ${SPREAD} tenders in turn, durably, so each tender grows; bare: the body parsed, nothing stored`,
    contestants: await sideBySide(
      servers,
      made.map(({ id }) => ({ method: "POST", path: `${TENDERS}/${id}/bids`, body })),
    ),
    targets: [undefined],
  };
}

async function untilTendering(url: string, id: string, giveUpAt: number): Promise<void> {
  for (;;) {
    const { body } = await answerTo(url, { method: "GET", path: `${TENDERS}/${id}` });
    const { status } = (JSON.parse(body) as { data: { status: string } }).data;
    if (status.endsWith("tendering")) return;
    if (performance.now() > giveUpAt) throw new Error(`a tender stays in ${status}`);
    await pause(100);
  }
}

export const PLANS: readonly Plan[] = [
  { name: "GET tender", hasTarget: true, prepare: getOne },
  { name: "GET feed page of 100", hasTarget: true, prepare: getPage },
  { name: "POST tender", hasTarget: true, prepare: postTenders },
  { name: `GET over ${SPREAD} tenders`, prepare: getMany },
  { name: "GET feed page among writes", prepare: getPageAmongWrites },
  { name: "PATCH tender", prepare: patchTenders },
  { name: "POST bid", prepare: postBids },
];
