/**
 * The typed client of Tenderhall, for browsers and for Node 20 or newer.
 *
 * @example
 * import { openClient } from "tenderhall-client"; // or from "tenderhall/client"
 *
 * const client = openClient({ url: "http://127.0.0.1:8080" });
 * for await (const tender of client.tenders.all({ opt_fields: ["title"] })) console.log(tender.title);
 *
 * @module
 */
export type { ApiResponse, NotModifiedResponse, ReadResponse, ResponseMeta, ResponseWithToken } from "./calls.ts";
export { type Client, type ClientOptions, openClient } from "./client.ts";
export type { Advance, Clock, ClockSent, Clocks, ListedClock } from "./clocks.ts";
export type { DocumentService, RegisteredFile, StoredFile } from "./documentService.ts";
export type { DocumentParent, Documents } from "./documents.ts";
export { type ErrorDescription, type ErrorEntry, TenderhallError, UnknownKeyError } from "./errors.ts";
export type { FeedEntry, FeedParams, ListParams, TenderFilters } from "./feedParams.ts";
export type { FollowOptions } from "./follow.ts";
export type { Health, HealthStatus } from "./health.ts";
export type {
  AuctionBidder,
  AuctionMessage,
  AuctionPage,
  FollowAuctionOptions,
  ListAuctionsParams,
  LiveAuctions,
} from "./liveAuctions.ts";
export type {
  OcdsRelease,
  OpenDataIterator,
  OpenDataMethods,
  RecordForm,
  RecordPackage,
  ReleasePackage,
  ReleaseParams,
  TenderRecord,
} from "./openData.ts";
export type { Change, ListAllParams } from "./pagination.ts";
export type { ReadOptions, RequestOptions, WriteOptions } from "./requests.ts";
export type { RetryOptions } from "./retries.ts";
export type { Search, SearchEntry, SearchParams } from "./search.ts";
export type { SiteOperations } from "./siteTypes.ts";
export type {
  Auctions,
  Complaints,
  ComplaintTarget,
  DeletableCollection,
  TenderCollection,
  TenderResources,
} from "./tenderResources.ts";
export type { CreateTenderOptions, GetTenderOptions, HistoryPage, HistoryParams, Tenders } from "./tenders.ts";
export type { StoredToken, Tokens } from "./tokens.ts";
export type * from "./types.ts";
export type { FileSource, UploadOptions } from "./upload.ts";
export { type VerifyWebhookParams, verifyWebhook } from "./verifyWebhook.ts";
export type {
  Delivery,
  DeliveryPage,
  ListDeliveriesParams,
  SecretRotation,
  Webhook,
  WebhookChange,
  WebhookSent,
  Webhooks,
} from "./webhooks.ts";
