import { CURRENT_SEGMENT } from "../dialects/dialects.ts";
import { EXAMPLE_IDS } from "../dialects/shapes/exampleIds.ts";
import type { UnversionedSchemaName } from "../http/route.ts";
import { either, id, instant, integer, md5, oneOf, property, shape, text, uri } from "./documentedSchemas.ts";
import { EXAMPLE_ORIGIN, objectSchema } from "./openapiBuilders.ts";
import { OPEN_DATA_SCHEMAS } from "./openDataSchemas.ts";

/**
 * What is spoken beside the versions: one shape for all, as JSON schemas, each property with its meaning and an example. The API
 * description and the client's types are made of these.
 */

const FILTER = { type: "object", additionalProperties: { type: "string" } };
const filter = property(FILTER);
const filterOrNull = property({ anyOf: [FILTER, { type: "null" }] });

const NOW = "2026-11-16T10:00:00+02:00";
const CHANGED = "2026-11-16T10:00:00.123456+02:00";
const CREATED = "2026-11-16T09:00:00+02:00";
const DELIVERY = `1794816000123456-${EXAMPLE_IDS.tender}`;
const EXAMPLE_FILTER = { status: "active.enquiries", classification: "555" };
const HASH = "md5:3f71ad7361a34c6a2f7be9d4430b51f2";
const SIGNATURE = "vhxeNkZ6pvlqx1RzWqD3X1tL0gGz2zX0m8OvTqYCQrVfS0k7b1d5yq3mW2oZ8nJ4cHgLxE6uPaBtK9iDsRwNCw%253D%253D";

const clock = {
  id: id("Identifies the clock: 32 hex digits. Assigned by the service.", EXAMPLE_IDS.clock),
  now: instant("The time that the clock shows.", NOW),
};

const clockTender = shape(
  "A tender that lives on the clock.",
  {
    id: id("`id` of the tender.", EXAMPLE_IDS.secondTender),
    tenderID: text("Official number of the tender, for people.", "UA-2026-11-16-000002"),
    status: text("Status of the tender, as the newest version calls it.", "active.enquiries"),
    next_check: instant("When the tender changes by itself. Absent if nothing is due.", "2026-11-23T10:00:00+02:00"),
  },
  ["id", "tenderID", "status"],
);

const file = {
  url: uri(
    "Signed address that vouches for the file: a document is registered with it. It opens nothing by itself.",
    `${EXAMPLE_ORIGIN}/get/${EXAMPLE_IDS.documentKey}?Signature=${SIGNATURE}&KeyID=a8968c46`,
  ),
  hash: md5("Checksum of the file: `md5:` and 32 hex digits.", HASH),
};

export const UNVERSIONED_SCHEMAS = {
  ...OPEN_DATA_SCHEMAS,
  ClockSent: shape("A test clock to be created.", {
    now: instant("The time that the clock shows at first. Set by the client; if absent, the real time.", NOW),
  }),
  Advance: {
    description: "Where a test clock is moved: exactly one of `to`, `by` and `next`.",
    oneOf: [
      objectSchema(
        { to: instant("The time to move it to, not before the time that it shows.", "2026-11-23T10:00:00+02:00") },
        ["to"],
      ),
      objectSchema(
        {
          by: either("string", "number")(
            "How far to move it: an ISO 8601 duration such as `PT1H` or `P3D`, or a number of seconds.",
            "P7D",
          ),
        },
        ["by"],
      ),
      objectSchema(
        {
          next: property({ const: true })(
            "`true` moves it to the next time at which something on it falls due; it stays if nothing does.",
            true,
          ),
        },
        ["next"],
      ),
    ],
  },
  ListedClock: shape("A test clock in a list.", clock, ["id", "now"]),
  Clock: shape(
    "A test clock with the tenders that live on it.",
    {
      ...clock,
      next_check: instant(
        "When the next thing on the clock falls due. Absent if nothing does.",
        "2026-11-23T10:00:00+02:00",
      ),
      tenders: property({ type: "array", items: clockTender })("The tenders on the clock, at most 1,000.", [
        { id: EXAMPLE_IDS.secondTender, tenderID: "UA-2026-11-16-000002", status: "active.enquiries" },
      ]),
    },
    ["id", "now", "tenders"],
  ),
  WebhookSent: shape(
    "A webhook to be created.",
    {
      url: uri(
        "Address that changes are sent to by POST, http or https, at most 2,048 characters. Required; set by the client.",
        "https://receiver.example/changes",
      ),
      version: text(
        "API version in whose format changes are sent. Set by the client; if absent, the newest.",
        CURRENT_SEGMENT,
      ),
      mode: oneOf(
        "",
        "test",
        "_all_",
      )("`test` sends changes of test tenders only, `_all_` of all. If absent or empty, of real ones only.", "_all_"),
      opt_fields: text(
        "Fields of the tender to add to each change, separated by commas, at most 1,024 characters. Set by the client.",
        "title,status",
      ),
      filter: filter(
        "Filters of the feed, by the names of its parameters: only matching tenders are sent. Set by the client.",
        EXAMPLE_FILTER,
      ),
      offset: text(
        "Place in the feed to begin at, as `next_page.offset`. Set by the client; if absent, only what changes from now on is sent.",
        "1794816000.123456",
      ),
    },
    ["url"],
  ),
  WebhookChange: shape("What can be changed of a webhook.", {
    url: uri("New address that changes are sent to by POST, http or https.", "https://receiver.example/tenders"),
    opt_fields: either("string", "null")("New fields to add to each change; `null` for none.", "title,status,value"),
    filter: filterOrNull("New filter; `null` for none.", EXAMPLE_FILTER),
    status: oneOf("active", "paused")("`paused` stops deliveries, `active` goes on where they stopped.", "paused"),
  }),
  Webhook: shape(
    "A subscription to changes of tenders.",
    {
      id: id("Identifies the webhook: 32 hex digits. Assigned by the service.", EXAMPLE_IDS.webhook),
      url: uri("Address that changes are sent to by POST.", "https://receiver.example/changes"),
      version: text(
        "API version in whose format changes are sent; fixed when the webhook is created.",
        CURRENT_SEGMENT,
      ),
      mode: text(
        "`test` or `_all_`; absent if only real tenders are sent. Fixed when the webhook is created.",
        "_all_",
      ),
      opt_fields: text(
        "Fields of the tender that each change has besides its own, separated by commas.",
        "title,status",
      ),
      filter: filter("Filters of the feed that the tenders match, by the names of its parameters.", EXAMPLE_FILTER),
      status: oneOf("active", "paused")("`paused` while the owner has stopped deliveries.", "active"),
      offset: text(
        "How far the webhook has come in the feed: all earlier changes have become deliveries. Set by the service.",
        "1794816000.123456",
      ),
      dateCreated: instant("When the webhook was created. Set by the service.", CREATED),
      heldSince: instant(
        "Since when changes wait in the feed because undelivered ones of the account take up all its space. Set by the service; it " +
          "goes on by itself once they are delivered.",
        "2026-11-18T12:00:00+02:00",
      ),
      oldSecretsUntil: instant(
        "Until when deliveries are also signed with earlier secrets. Set by the service when the secret is rotated.",
        "2026-11-16T11:30:00+02:00",
      ),
    },
    ["id", "url", "version", "status", "offset", "dateCreated"],
  ),
  SecretRotation: shape("How a webhook gets a new secret.", {
    overlap: either("string", "number")(
      "How long deliveries are also signed with the old secrets: an ISO 8601 duration such as `PT1H` or `P3D`, or a number of " +
        "seconds; at most 7 days. Set by the client; if absent, 24 hours; 0 for not at all.",
      "PT1H",
    ),
  }),
  Secret: shape(
    "The secret of a webhook.",
    {
      secret: text(
        "Key of the HMAC-SHA256 that deliveries are signed with. Made by the service and shown only this once.",
        "2f7c1e9b8a6d4c3f5e0b1a2d3c4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60",
      ),
    },
    ["secret"],
  ),
  Delivery: shape(
    "A change that is sent to a webhook.",
    {
      id: text("Identifies the delivery: the time of the change in microseconds, and the tender.", DELIVERY),
      tender: id("`id` of the tender that changed.", EXAMPLE_IDS.tender),
      dateModified: instant("Time of the change.", CHANGED),
      status: oneOf(
        "pending",
        "delivered",
        "failed",
      )(
        "`pending` until the receiver has answered with a 2xx status (`delivered`), or has not done so for three days (`failed`).",
        "delivered",
      ),
      attempts: integer("How often it was sent.", 1),
      nextAttempt: instant(
        "When it is sent next: pauses grow from 5 seconds to an hour. Present while the delivery is `pending`.",
        "2026-11-16T10:30:00+02:00",
      ),
      lastAttempt: instant("When it was last sent. Absent before the first attempt.", CHANGED),
      response: property(objectSchema({ status: integer("HTTP status of the receiver's response.", 204) }, ["status"]))(
        "What the receiver answered to the last attempt. Absent if it did not answer.",
        { status: 204 },
      ),
      error: text("Why the last attempt failed, if the receiver did not answer.", "ECONNREFUSED"),
      dateCreated: instant("When the delivery was created.", CHANGED),
    },
    ["id", "tender", "dateModified", "status", "attempts", "dateCreated"],
  ),
  AnnouncementSent: shape(
    "A file that will be uploaded.",
    { hash: md5("Checksum of the file: `md5:` and 32 hex digits. Required; set by the client.", HASH) },
    ["hash"],
  ),
  AnnouncedFile: shape("A file that was announced.", file, ["url", "hash"]),
  UploadedFile: shape(
    "A file that was uploaded and has no document yet.",
    {
      ...file,
      format: text("Media type of the file, as the form said.", "text/plain"),
      title: text("Name of the file, as the form said, without a path.", "menu.txt"),
    },
    ["url", "hash", "format", "title"],
  ),
  Health: shape(
    "Whether the service works.",
    {
      status: text("`ok`, `unavailable`, or `stopping` while the process ends.", "ok"),
      checks: property(
        objectSchema(
          {
            store: text("Whether the database answers: `ok` or `unavailable`.", "ok"),
            files: text("Whether the file store answers: `ok` or `unavailable`.", "ok"),
            auctions: text(
              "Whether stages and plans of auctions are on time: `ok`, or behind. Absent if other programs hold auctions. Requests can be served in both cases.",
              "ok",
            ),
          },
          ["store", "files"],
        ),
      )("What was asked, part by part. Absent at `/health/live`, which asks nobody.", { store: "ok", files: "ok" }),
    },
    ["status"],
  ),
} as const satisfies { readonly [name in UnversionedSchemaName]: object };
