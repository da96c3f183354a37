import type { AuctionSent, AwardSent, BidSent, Command, QuestionSent, TenderSent } from "../domain/commands.ts";
import type { Award, Bid, Question, Tender } from "../domain/tender.ts";
import { auctionSeen, bidsSeenBy, questionSeen, tenderSeen } from "../domain/visibility.ts";
import type { Done } from "../registry/registry.ts";
import type { Answer } from "./answers.ts";
import { addDocument, editDocument, listDocuments, replaceDocument, showDocument, withLinks } from "./documents.ts";
import { created, decidedAnswer, type Exchange, found, foundAll, type Route, shown } from "./exchange.ts";
import { showFeed } from "./feed.ts";
import { keptTender } from "./kept.ts";

/** Everything the service does, in one table: the router, the checks and the API description are read off it. */
export const ROUTES: readonly Route[] = [
  {
    path: "/tenders",
    methods: {
      GET: {
        summary: "The feed of tenders, in the order of change",
        answers: { status: 200, shape: "Entry" },
        run: showFeed,
      },
      POST: {
        summary: "Publishes a tender",
        body: { json: "Tender" },
        answers: { status: 201, shape: "Tender", access: true },
        run: publishTender,
      },
    },
  },
  {
    path: "/tenders/{tender_id}",
    methods: {
      GET: {
        summary: "A tender",
        answers: { status: 200, shape: "Tender" },
        run: async (exchange) => ({
          status: 200,
          body: keptTender(exchange.tender!, exchange.root, () => ({
            data: shown(exchange, "Tender", publicTender(exchange.tender!)),
          })),
          kept: true,
        }),
      },
      PATCH: {
        summary: "Changes a tender; `status` may become `cancelled`",
        body: { json: "Tender" },
        answers: { status: 200, shape: "Tender" },
        run: editTender,
      },
    },
  },
  ...documentRoutes("/tenders/{tender_id}"),
  {
    path: "/tenders/{tender_id}/questions",
    methods: {
      GET: {
        summary: "The questions asked",
        answers: { status: 200, shape: "Question", many: true },
        run: async (exchange) => {
          const { tender } = exchange;
          return foundAll(
            exchange,
            "Question",
            tender!.questions.map((question) => questionSeen(question, tender!)),
          );
        },
      },
      POST: {
        summary: "Asks a question",
        body: { json: "Question" },
        answers: { status: 201, shape: "Question" },
        run: askQuestion,
      },
    },
  },
  {
    path: "/tenders/{tender_id}/questions/{question_id}",
    methods: {
      GET: {
        summary: "A question",
        answers: { status: 200, shape: "Question" },
        run: async (exchange) => {
          const { tender, params } = exchange;
          return found(exchange, "Question", questionSeen(questionOf(tender!, params.question_id!), tender!));
        },
      },
      PATCH: {
        summary: "Answers a question",
        body: { json: "Question" },
        answers: { status: 200, shape: "Question" },
        run: answerQuestion,
      },
    },
  },
  {
    path: "/tenders/{tender_id}/bids",
    methods: {
      GET: {
        summary: "The bids that may be seen",
        answers: { status: 200, shape: "Bid", many: true },
        run: async (exchange) => {
          const { tender, actor } = exchange;
          return foundAll(
            exchange,
            "Bid",
            bidsSeenBy(tender!, actor).map((bid) => linkedBid(tender!, bid)),
          );
        },
      },
      POST: {
        summary: "Places a bid",
        body: { json: "Bid" },
        answers: { status: 201, shape: "Bid", access: true },
        run: placeBid,
      },
    },
  },
  {
    path: "/tenders/{tender_id}/bids/{bid_id}",
    methods: {
      GET: {
        summary: "A bid",
        answers: { status: 200, shape: "Bid" },
        run: async (exchange) => {
          const { tender, params } = exchange;
          return found(exchange, "Bid", linkedBid(tender!, bidOf(tender!, params.bid_id!)));
        },
      },
      PATCH: {
        summary: "Changes a bid",
        body: { json: "Bid" },
        answers: { status: 200, shape: "Bid" },
        run: changeBid,
      },
      DELETE: { summary: "Withdraws a bid", answers: { status: 200, shape: "Bid" }, run: withdrawBid },
    },
  },
  ...documentRoutes("/tenders/{tender_id}/bids/{bid_id}"),
  {
    path: "/tenders/{tender_id}/awards",
    methods: {
      GET: {
        summary: "The awards",
        answers: { status: 200, shape: "Award", many: true },
        run: async (exchange) => foundAll(exchange, "Award", exchange.tender!.awards),
      },
      POST: {
        summary: "Records an award",
        body: { json: "Award" },
        answers: { status: 201, shape: "Award" },
        run: recordAward,
      },
    },
  },
  {
    path: "/tenders/{tender_id}/awards/{award_id}",
    methods: {
      GET: {
        summary: "An award",
        answers: { status: 200, shape: "Award" },
        run: async (exchange) => found(exchange, "Award", awardOf(exchange.tender!, exchange.params.award_id!)),
      },
      PATCH: {
        summary: "Changes an award",
        body: { json: "Award" },
        answers: { status: 200, shape: "Award" },
        run: changeAward,
      },
    },
  },
  {
    path: "/tenders/{tender_id}/auction",
    methods: {
      GET: {
        summary: "What the auction starts from",
        answers: { status: 200, shape: "Auction" },
        run: async (exchange) => found(exchange, "Auction", auctionSeen(exchange.tender!, exchange.actor)),
      },
      PATCH: {
        summary: "Reports what the bids came to in the auction",
        body: { json: "Auction" },
        answers: { status: 200, shape: "Auction" },
        run: reportAuction,
      },
    },
  },
  {
    path: "/tenders/{tender_id}/complaints",
    methods: {
      GET: {
        summary: "The complaints",
        answers: { status: 200, many: true },
        run: async () => ({ status: 200, body: { data: [] } }),
      },
    },
  },
];

function documentRoutes(holder: string): readonly Route[] {
  return [
    {
      path: `${holder}/documents`,
      methods: {
        GET: {
          summary: "The documents, each in its latest version",
          answers: { status: 200, shape: "Document", many: true },
          run: listDocuments,
        },
        POST: {
          summary: "Uploads a document",
          body: "file",
          answers: { status: 201, shape: "Document" },
          run: addDocument,
        },
      },
    },
    {
      path: `${holder}/documents/{document_id}`,
      methods: {
        GET: {
          summary: "A document with its previous versions; with `download`, the file itself",
          answers: { status: 200, shape: "Document" },
          run: showDocument,
        },
        PUT: {
          summary: "Uploads a new version",
          body: "file",
          answers: { status: 200, shape: "Document" },
          run: replaceDocument,
        },
        PATCH: {
          summary: "Changes what is said about a document",
          body: { json: "Document" },
          answers: { status: 200, shape: "Document" },
          run: editDocument,
        },
      },
    },
  ];
}

export function publicTender(tender: Tender): unknown {
  const seen = tenderSeen(tender);
  return {
    ...seen,
    documents: withLinks(seen.documents, `/tenders/${tender.id}`),
    ...(seen.bids && { bids: seen.bids.map((bid) => linkedBid(tender, bid)) }),
  };
}

const linkedBid = (tender: Tender, bid: Bid): unknown => ({
  ...bid,
  documents: withLinks(bid.documents, `/tenders/${tender.id}/bids/${bid.id}`),
});

const bidOf = (tender: Tender, id: string): Bid => tender.bids.find((bid) => bid.id === id)!;
const awardOf = (tender: Tender, id: string): Award => tender.awards.find((award) => award.id === id)!;
const questionOf = (tender: Tender, id: string): Question => tender.questions.find((question) => question.id === id)!;

async function publishTender(exchange: Exchange): Promise<Answer> {
  const { dialect, body, actor, service } = exchange;
  const { procurementMethodType: named } = body!.data;
  const { fields, problems } = dialect.read<TenderSent & { procurementMethodType?: string }>("Tender", body!.data);
  const { procurementMethodType: _chosen, ...rest } = fields;
  const publication = { procedure: dialect.procedureFor(named), sent: { fields: rest, problems } };
  const decided = await service.registry.publish(publication, actor);
  return decidedAnswer(exchange, "Tender", decided, ({ tender, token }) =>
    created(exchange, "Tender", publicTender(tender), tender.id, token),
  );
}

async function editTender(exchange: Exchange): Promise<Answer> {
  const { tender, dialect, body } = exchange;
  const { fields, problems } = dialect.read<TenderSent & { procurementMethodType?: string }>(
    "Tender",
    body!.data,
    tenderSeen(tender!),
  );
  const { procurementMethodType: _fixed, ...rest } = fields;
  const decided = await change(exchange, { kind: "edit tender", sent: { fields: rest, problems } });
  return decidedAnswer(exchange, "Tender", decided, (done) => found(exchange, "Tender", publicTender(done.tender)));
}

const change = ({ service, tender, actor }: Exchange, command: Command) =>
  service.registry.change(tender!.id, command, actor);

async function askQuestion(exchange: Exchange): Promise<Answer> {
  const sent = exchange.dialect.read<QuestionSent>("Question", exchange.body!.data);
  const decided = await change(exchange, { kind: "ask question", sent });
  return decidedAnswer(exchange, "Question", decided, ({ tender, id }) =>
    created(exchange, "Question", questionOf(tender, id!), id!),
  );
}

async function answerQuestion(exchange: Exchange): Promise<Answer> {
  const question = exchange.params.question_id!;
  const sent = exchange.dialect.read<QuestionSent>("Question", exchange.body!.data);
  const decided = await change(exchange, { kind: "answer question", question, sent });
  return decidedAnswer(exchange, "Question", decided, ({ tender }) =>
    found(exchange, "Question", questionSeen(questionOf(tender, question), tender)),
  );
}

async function placeBid(exchange: Exchange): Promise<Answer> {
  const sent = exchange.dialect.read<BidSent>("Bid", exchange.body!.data);
  const decided = await change(exchange, { kind: "place bid", sent });
  return decidedAnswer(exchange, "Bid", decided, ({ tender, id, token }) =>
    created(exchange, "Bid", linkedBid(tender, bidOf(tender, id!)), id!, token),
  );
}

async function changeBid(exchange: Exchange): Promise<Answer> {
  const { params, tender, dialect, body } = exchange;
  const bid = params.bid_id!;
  const sent = dialect.read<BidSent>("Bid", body!.data, tender!.bids.find(({ id }) => id === bid) ?? {});
  const decided = await change(exchange, { kind: "change bid", bid, sent });
  return decidedAnswer(exchange, "Bid", decided, (done) =>
    found(exchange, "Bid", linkedBid(done.tender, bidOf(done.tender, bid))),
  );
}

async function withdrawBid(exchange: Exchange): Promise<Answer> {
  const decided = await change(exchange, { kind: "withdraw bid", bid: exchange.params.bid_id! });
  return decidedAnswer(exchange, "Bid", decided, ({ tender, removed }: Done) =>
    found(exchange, "Bid", linkedBid(tender, removed!)),
  );
}

async function recordAward(exchange: Exchange): Promise<Answer> {
  const sent = exchange.dialect.read<AwardSent>("Award", exchange.body!.data);
  const decided = await change(exchange, { kind: "record award", sent });
  return decidedAnswer(exchange, "Award", decided, ({ tender, id }) =>
    created(exchange, "Award", awardOf(tender, id!), id!),
  );
}

async function changeAward(exchange: Exchange): Promise<Answer> {
  const { params, tender, dialect, body } = exchange;
  const award = params.award_id!;
  const sent = dialect.read<AwardSent>("Award", body!.data, awardOf(tender!, award));
  const decided = await change(exchange, { kind: "change award", award, sent });
  return decidedAnswer(exchange, "Award", decided, (done) => found(exchange, "Award", awardOf(done.tender, award)));
}

async function reportAuction(exchange: Exchange): Promise<Answer> {
  const sent = exchange.dialect.read<AuctionSent>("Auction", exchange.body!.data);
  const decided = await change(exchange, { kind: "report auction", sent });
  return decidedAnswer(exchange, "Auction", decided, ({ tender }) =>
    found(exchange, "Auction", auctionSeen(tender, exchange.actor)),
  );
}
