import { listDocuments, patchDocument, postDocument, putDocument, showDocument } from "../documents/documents.ts";
import { showFeed } from "../feed/feed.ts";
import { showStream } from "../feed/stream/streamHandler.ts";
import type { Route } from "../http/route.ts";
import { patchAuction, postAuction, showAuction } from "./resources/auctions.ts";
import { listAwards, patchAward, postAward, showAward } from "./resources/awards.ts";
import { deleteBid, listBids, patchBid, postBid, showBid } from "./resources/bids.ts";
import { COLLECTION_ROUTES } from "./resources/collectionRoutes.ts";
import {
  patchCredentials,
  patchTender,
  publishTender,
  showCredentials,
  showSchedule,
  showTender,
} from "./resources/tenders.ts";
import type { ServicePorts } from "./servicePorts.ts";

/** All routes below `/api/VERSION`. The router, the checks and the API description are derived from this table. */
export const ROUTES: readonly Route<ServicePorts>[] = [
  {
    path: "/tenders",
    methods: {
      GET: {
        summary: "The feed of tenders, in the order of change",
        response: { status: 200, shape: "Entry" },
        run: showFeed,
      },
      POST: {
        summary: "Publishes a tender",
        body: { json: "Tender" },
        response: { status: 201, shape: "Tender", access: true },
        run: publishTender,
      },
    },
  },
  {
    path: "/tenders/stream",
    methods: {
      GET: {
        summary: "The feed of tenders as it grows, as Server-Sent Events",
        response: { status: 200, shape: "Entry", events: true },
        run: showStream,
      },
    },
  },
  {
    path: "/tenders/{tender_id}",
    methods: {
      GET: {
        summary: "A tender",
        audited: { groups: ["chronograph"], whileSealed: true },
        response: { status: 200, shape: "Tender", orShape: "Schedule" },
        run: showTender,
      },
      PATCH: {
        summary: "Changes a tender; `status` may become `cancelled`",
        body: { json: "Tender" },
        response: { status: 200, shape: "Tender" },
        run: patchTender,
      },
    },
  },
  ...documentRoutes("/tenders/{tender_id}"),
  ...COLLECTION_ROUTES,
  {
    path: "/tenders/{tender_id}/bids",
    methods: {
      GET: {
        summary: "The bids that may be seen",
        response: { status: 200, shape: "Bid", many: true },
        run: listBids,
      },
      POST: {
        summary: "Places a bid",
        body: { json: "Bid" },
        response: { status: 201, shape: "Bid", access: true },
        run: postBid,
      },
    },
  },
  {
    path: "/tenders/{tender_id}/bids/{bid_id}",
    methods: {
      GET: {
        summary: "A bid",
        response: { status: 200, shape: "Bid" },
        run: showBid,
      },
      PATCH: {
        summary: "Changes a bid",
        body: { json: "Bid" },
        response: { status: 200, shape: "Bid" },
        run: patchBid,
      },
      DELETE: { summary: "Withdraws a bid", response: { status: 200, shape: "Bid" }, run: deleteBid },
    },
  },
  ...documentRoutes("/tenders/{tender_id}/bids/{bid_id}"),
  {
    path: "/tenders/{tender_id}/awards",
    methods: {
      GET: {
        summary: "The awards",
        response: { status: 200, shape: "Award", many: true },
        run: listAwards,
      },
      POST: {
        summary: "Records an award",
        body: { json: "Award" },
        response: { status: 201, shape: "Award" },
        run: postAward,
      },
    },
  },
  {
    path: "/tenders/{tender_id}/awards/{award_id}",
    methods: {
      GET: {
        summary: "An award",
        response: { status: 200, shape: "Award" },
        run: showAward,
      },
      PATCH: {
        summary: "Changes an award",
        body: { json: "Award" },
        response: { status: 200, shape: "Award" },
        run: patchAward,
      },
    },
  },
  {
    path: "/tenders/{tender_id}/auction",
    ascii: true,
    methods: {
      GET: {
        summary: "What the auction starts from",
        audited: { groups: ["auction", "admins"], whileSealed: true },
        response: { status: 200, shape: "Auction" },
        run: showAuction,
      },
      PATCH: {
        summary: "Reports what the bids came to (2.3 and older), or where the auction is held (2.5)",
        body: { json: "Auction" },
        response: { status: 200, shape: "Auction" },
        run: patchAuction,
      },
      POST: {
        summary: "Ends the auction with its results",
        absentFromPlain: true,
        body: { json: "Auction" },
        response: { status: 200, shape: "Tender" },
        run: postAuction,
      },
    },
  },
  {
    path: "/tenders/{tender_id}/auction/{auction_lot_id}",
    ascii: true,
    methods: {
      PATCH: {
        summary: "Says where the auction of a lot is held",
        absentFromPlain: true,
        body: { json: "Auction" },
        response: { status: 200, shape: "Auction" },
        run: patchAuction,
      },
      POST: {
        summary: "Ends the auction of a lot with its results",
        absentFromPlain: true,
        body: { json: "Auction" },
        response: { status: 200, shape: "Tender" },
        run: postAuction,
      },
    },
  },
  {
    path: "/tenders/{tender_id}/credentials",
    methods: {
      PATCH: {
        summary: "Gives the owner a new token in place of the old one",
        absentFromPlain: true,
        response: { status: 200, shape: "Tender", access: true },
        run: patchCredentials,
      },
    },
  },
  {
    path: "/tenders/{tender_id}/extract_credentials",
    methods: {
      GET: {
        summary: "Who owns a tender, and the hash of the owner token, for the service that keeps its contracts",
        absentFromPlain: true,
        needsKey: true,
        audited: { groups: ["contracting"] },
        response: { status: 200, shape: "Credentials" },
        run: showCredentials,
      },
    },
  },
  {
    path: "/tenders/{tender_id}/chronograph",
    methods: {
      GET: {
        summary: "What a scheduler needs to know of a tender",
        absentFromPlain: true,
        audited: { groups: ["chronograph", "admins"], whileSealed: true },
        response: { status: 200, shape: "Schedule" },
        run: showSchedule,
      },
      PATCH: {
        summary: "Plans auctions",
        absentFromPlain: true,
        body: { json: "Tender" },
        response: { status: 200, shape: "Tender" },
        run: patchTender,
      },
    },
  },
  ...[
    "/tenders/{tender_id}/awards/{award_id}",
    "/tenders/{tender_id}/contracts/{contract_id}",
    "/tenders/{tender_id}/cancellations/{cancellation_id}",
    "/tenders/{tender_id}/complaints/{complaint_id}",
    "/tenders/{tender_id}/awards/{award_id}/complaints/{complaint_id}",
  ].flatMap((parentPath) => documentRoutes(parentPath, true)),
];

/** The routes of the documents of a tender, bid, award, … */
function documentRoutes(parentPath: string, absentFromPlain?: true): readonly Route<ServicePorts>[] {
  return [
    {
      path: `${parentPath}/documents`,
      methods: {
        GET: {
          summary: "The documents, each in its latest version",
          absentFromPlain,
          response: { status: 200, shape: "Document", many: true },
          run: listDocuments,
        },
        POST: {
          summary: "Uploads a document",
          absentFromPlain,
          body: "file",
          response: { status: 201, shape: "Document" },
          run: postDocument,
        },
      },
    },
    {
      path: `${parentPath}/documents/{document_id}`,
      methods: {
        GET: {
          summary: "A document with its previous versions; with `download`, the file itself",
          absentFromPlain,
          response: { status: 200, shape: "Document" },
          run: showDocument,
        },
        PUT: {
          summary: "Uploads a new version",
          absentFromPlain,
          body: "file",
          response: { status: 200, shape: "Document" },
          run: putDocument,
        },
        PATCH: {
          summary: "Changes what is said about a document",
          absentFromPlain,
          body: { json: "Document" },
          response: { status: 200, shape: "Document" },
          run: patchDocument,
        },
      },
    },
  ];
}
