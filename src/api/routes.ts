import { listDocuments, patchDocument, postDocument, putDocument, showDocument } from "../documents/documents.ts";
import { showFeed } from "../feed/feed.ts";
import { showSearch } from "../feed/search.ts";
import { showStream } from "../feed/stream/streamHandler.ts";
import type { Route } from "../http/route.ts";
import { patchAuction, postAuction, showAuction } from "./resources/auctions.ts";
import { listAwards, patchAward, postAward, showAward } from "./resources/awards.ts";
import { deleteBid, listBids, patchBid, postBid, showBid } from "./resources/bids.ts";
import { COLLECTION_ROUTES } from "./resources/collectionRoutes.ts";
import { LIVE_AUCTION_ROUTES } from "./resources/liveAuctionRoutes.ts";
import { showHistory } from "./resources/tenderHistory.ts";
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
        summary: "List tenders in the order of change",
        response: { status: 200, shape: "Entry" },
        run: showFeed,
      },
      POST: {
        summary: "Create a tender",
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
        summary: "Stream changes of tenders as Server-Sent Events",
        response: { status: 200, shape: "Entry", events: true },
        run: showStream,
      },
    },
  },
  {
    path: "/search",
    newestOnly: true,
    methods: {
      GET: {
        summary: "Search tenders by words and filters",
        response: { status: 200, shape: "Entry", many: true },
        run: showSearch,
      },
    },
  },
  {
    path: "/tenders/{tender_id}",
    methods: {
      GET: {
        summary: "Get a tender",
        audited: { groups: ["chronograph"], whileSealed: true },
        response: { status: 200, shape: "Tender", orShape: "Schedule" },
        run: showTender,
      },
      PATCH: {
        summary: "Change a tender, or cancel it",
        body: { json: "Tender" },
        response: { status: 200, shape: "Tender" },
        run: patchTender,
      },
    },
  },
  {
    path: "/tenders/{tender_id}/history",
    newestOnly: true,
    methods: {
      GET: {
        summary: "List the public versions of a tender",
        response: { status: 200, shape: "HistoryEntry", many: true, pages: true },
        run: showHistory,
      },
    },
  },
  ...documentRoutes("/tenders/{tender_id}", "a tender"),
  ...COLLECTION_ROUTES,
  {
    path: "/tenders/{tender_id}/bids",
    methods: {
      GET: {
        summary: "List the bids",
        response: { status: 200, shape: "Bid", many: true },
        run: listBids,
      },
      POST: {
        summary: "Place a bid",
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
        summary: "Get a bid",
        response: { status: 200, shape: "Bid" },
        run: showBid,
      },
      PATCH: {
        summary: "Change a bid",
        body: { json: "Bid" },
        response: { status: 200, shape: "Bid" },
        run: patchBid,
      },
      DELETE: { summary: "Withdraw a bid", response: { status: 200, shape: "Bid" }, run: deleteBid },
    },
  },
  ...documentRoutes("/tenders/{tender_id}/bids/{bid_id}", "a bid"),
  {
    path: "/tenders/{tender_id}/awards",
    methods: {
      GET: {
        summary: "List the awards",
        response: { status: 200, shape: "Award", many: true },
        run: listAwards,
      },
      POST: {
        summary: "Record an award",
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
        summary: "Get an award",
        response: { status: 200, shape: "Award" },
        run: showAward,
      },
      PATCH: {
        summary: "Decide on an award, or change it",
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
        summary: "Get what the auction starts from",
        audited: { groups: ["auction", "admins"], whileSealed: true },
        response: { status: 200, shape: "Auction" },
        run: showAuction,
      },
      PATCH: {
        summary: "Report prices, or where the auction is held",
        body: { json: "Auction" },
        response: { status: 200, shape: "Auction" },
        run: patchAuction,
      },
      POST: {
        summary: "End the auction with its results",
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
        summary: "Set where the auction of a lot is held",
        absentFromPlain: true,
        body: { json: "Auction" },
        response: { status: 200, shape: "Auction" },
        run: patchAuction,
      },
      POST: {
        summary: "End the auction of a lot with its results",
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
        summary: "Renew the owner token of a tender",
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
        summary: "Get the owner of a tender, for the service that manages contracts",
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
        summary: "Get the view of the scheduler",
        absentFromPlain: true,
        audited: { groups: ["chronograph", "admins"], whileSealed: true },
        response: { status: 200, shape: "Schedule" },
        run: showSchedule,
      },
      PATCH: {
        summary: "Plan auctions",
        absentFromPlain: true,
        body: { json: "Tender" },
        response: { status: 200, shape: "Tender" },
        run: patchTender,
      },
    },
  },
  ...LIVE_AUCTION_ROUTES,
  ...documentRoutes("/tenders/{tender_id}/awards/{award_id}", "an award", true),
  ...documentRoutes("/tenders/{tender_id}/contracts/{contract_id}", "a contract", true),
  ...documentRoutes("/tenders/{tender_id}/cancellations/{cancellation_id}", "a cancellation", true),
  ...documentRoutes("/tenders/{tender_id}/complaints/{complaint_id}", "a complaint", true),
  ...documentRoutes(
    "/tenders/{tender_id}/awards/{award_id}/complaints/{complaint_id}",
    "a complaint about an award",
    true,
  ),
];

/** The routes of the documents of a tender, bid, award, …; `name` is the parent in a sentence. */
function documentRoutes(parentPath: string, name: string, absentFromPlain?: true): readonly Route<ServicePorts>[] {
  return [
    {
      path: `${parentPath}/documents`,
      methods: {
        GET: {
          summary: `List the documents of ${name}`,
          absentFromPlain,
          response: { status: 200, shape: "Document", many: true },
          run: listDocuments,
        },
        POST: {
          summary: `Upload a document of ${name}`,
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
          summary: `Get a document of ${name}, or download it`,
          absentFromPlain,
          response: { status: 200, shape: "Document" },
          run: showDocument,
        },
        PUT: {
          summary: `Upload a new version of a document of ${name}`,
          absentFromPlain,
          body: "file",
          response: { status: 200, shape: "Document" },
          run: putDocument,
        },
        PATCH: {
          summary: `Change the metadata of a document of ${name}`,
          absentFromPlain,
          body: { json: "Document" },
          response: { status: 200, shape: "Document" },
          run: patchDocument,
        },
      },
    },
  ];
}
