import type { Route } from "../../http/route.ts";
import type { ServicePorts } from "../servicePorts.ts";
import { placePrice, replaceParticipationLink, takePriceBack } from "./auctionPrices.ts";
import { listLiveAuctions, showAuctionEvents, showLiveAuction, showRecord } from "./liveAuctions.ts";

/** The auctions that the service itself holds. Only the newest version has them. */
export const LIVE_AUCTION_ROUTES: readonly Route<ServicePorts>[] = [
  {
    path: "/auctions",
    liveAuctions: true,
    methods: {
      GET: {
        summary: "List auctions by their start",
        response: { status: 200, shape: "ListedAuction", many: true, pages: true },
        run: listLiveAuctions,
      },
    },
  },
  {
    path: "/auctions/{auction_id}",
    liveAuctions: true,
    methods: {
      GET: { summary: "Get an auction", response: { status: 200, shape: "LiveAuction" }, run: showLiveAuction },
    },
  },
  {
    path: "/auctions/{auction_id}/events",
    liveAuctions: true,
    methods: {
      GET: {
        summary: "Stream an auction as Server-Sent Events",
        response: { status: 200, shape: "LiveAuctionEvent", orShape: "LiveAuction", events: true },
        run: showAuctionEvents,
      },
    },
  },
  {
    path: "/auctions/{auction_id}/bids",
    liveAuctions: true,
    methods: {
      POST: {
        summary: "Place a price in your turn",
        byBidder: true,
        body: { json: "AuctionPrice" },
        response: { status: 201, shape: "LiveAuctionOwn" },
        run: placePrice,
      },
    },
  },
  {
    path: "/auctions/{auction_id}/bids/current",
    liveAuctions: true,
    methods: {
      DELETE: {
        summary: "Take your unpublished price back",
        byBidder: true,
        response: { status: 200, shape: "LiveAuctionOwn" },
        run: takePriceBack,
      },
    },
  },
  {
    path: "/auctions/{auction_id}/links",
    liveAuctions: true,
    methods: {
      POST: {
        summary: "Replace the participation link of your bid",
        response: { status: 201, shape: "ParticipationLink" },
        run: replaceParticipationLink,
      },
    },
  },
  {
    path: "/auctions/{auction_id}/record",
    liveAuctions: true,
    methods: {
      GET: { summary: "Get the replayable record", response: { status: 200, file: true }, run: showRecord },
    },
  },
];
