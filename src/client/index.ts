/** The typed client of Tenderhall: `import { openClient } from "tenderhall-client"`, or `from "tenderhall/client"`. For browsers, and Node from 20 on. */
export type { Found, NotModified, Owned, Read, Told } from "./calls.ts";
export { type Client, type ClientOptions, openClient } from "./client.ts";
export type { Advance, Clock, ClockSent, Clocks, ListedClock } from "./clocks.ts";
export type { DocumentService, RegisteredFile, StoredFile } from "./documentService.ts";
export type { Documents, Holder } from "./documents.ts";
export { type ErrorDescription, type ErrorEntry, TenderhallError, UnknownKeyError } from "./errors.ts";
export type { FeedEntry, FeedWishes, Filters, PageWishes } from "./filters.ts";
export type { Following } from "./follow.ts";
export type { Health, Healthy } from "./health.ts";
export type { AllParams, Change } from "./pages.ts";
export type { Auctions, Complaints, Contested, Part, Parts, Removable } from "./parts.ts";
export type { Asking, Reading, Writing } from "./requests.ts";
export type { SiteOperations } from "./siteTypes.ts";
export type { Publishing, Tenders } from "./tenders.ts";
export type { KeptToken, Tokens } from "./tokens.ts";
export type * from "./types.ts";
export type { Source, Uploading } from "./uploading.ts";
export { type Received, verifyWebhook } from "./verifyWebhook.ts";
export type { Retries } from "./waiting.ts";
export type {
  Delivery,
  DeliveryPage,
  DeliveryWishes,
  SecretRotation,
  Webhook,
  WebhookChange,
  WebhookSent,
  Webhooks,
} from "./webhooks.ts";
