/** What is spoken beside the versions: one shape for all, as JSON schemas. The API description and the client's types are made of these. */

const text = { type: "string" };
const id = { type: "string", pattern: "^[0-9a-f]{32}$" };
const instant = { type: "string", format: "date-time" };
const object = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});

const md5 = { type: "string", pattern: "^md5:[0-9a-f]{32}$" };
const signedUrl = {
  type: "string",
  format: "uri",
  description: "Vouches for the file: a document is registered by it",
};

const filter = {
  type: "object",
  additionalProperties: text,
  description: "The filters of the feed, by their names",
};
const status = { enum: ["active", "paused"] };

export const UNVERSIONED_SCHEMAS = {
  ClockSent: object({ now: { ...instant, description: "What it shows; absent: the real time" } }),
  Advance: {
    oneOf: [
      object({ to: { ...instant, description: "The time it is to show" } }, ["to"]),
      object({ by: { anyOf: [text, { type: "number" }], description: "How much later: `PT1H`, `P3D`, or seconds" } }, [
        "by",
      ]),
      object({ next: { const: true, description: "To the next moment at which something on it falls due" } }, ["next"]),
    ],
  },
  ListedClock: object({ id, now: instant }, ["id", "now"]),
  Clock: object(
    {
      id,
      now: instant,
      next_check: { ...instant, description: "When the next thing on it falls due" },
      tenders: {
        type: "array",
        items: object({ id, tenderID: text, status: text, next_check: instant }, ["id", "tenderID", "status"]),
      },
    },
    ["id", "now", "tenders"],
  ),
  WebhookSent: object(
    {
      url: { type: "string", format: "uri", description: "Where changes are sent by POST" },
      version: { type: "string", description: "In whose words; absent: 2.5" },
      mode: { enum: ["", "test", "_all_"] },
      opt_fields: { type: "string", description: "More fields for each entry, separated by commas" },
      filter,
      offset: { type: "string", description: "A place in the feed to begin at; absent: from now on" },
    },
    ["url"],
  ),
  WebhookChange: object({
    url: { type: "string", format: "uri" },
    opt_fields: { anyOf: [text, { type: "null" }] },
    filter: { anyOf: [filter, { type: "null" }] },
    status,
  }),
  Webhook: object(
    {
      id,
      url: { type: "string", format: "uri" },
      version: text,
      mode: text,
      opt_fields: text,
      filter,
      status,
      offset: { type: "string", description: "How far it has come" },
      dateCreated: instant,
      heldSince: {
        ...instant,
        description:
          "Since when changes wait in the feed, because those that are yet to be delivered to the account's webhooks take up all " +
          "the room that they may; it goes on by itself when they are delivered",
      },
      oldSecretsUntil: { ...instant, description: "Until then deliveries are signed with secrets of before as well" },
    },
    ["id", "url", "version", "status", "offset", "dateCreated"],
  ),
  SecretRotation: object({
    overlap: {
      anyOf: [text, { type: "number" }],
      description:
        "For how long deliveries are signed with the secrets of before as well: `PT1H`, `P3D`, or seconds; at most 7 days; " +
        "absent: 24 hours; 0: not at all",
    },
  }),
  Secret: object({ secret: { type: "string", description: "What deliveries are signed with; told this once" } }, [
    "secret",
  ]),
  Delivery: object(
    {
      id: text,
      tender: id,
      dateModified: instant,
      status: { enum: ["pending", "delivered", "failed"] },
      attempts: { type: "integer" },
      nextAttempt: instant,
      lastAttempt: instant,
      response: object({ status: { type: "integer" } }, ["status"]),
      error: text,
      dateCreated: instant,
    },
    ["id", "tender", "dateModified", "status", "attempts", "dateCreated"],
  ),
  AnnouncementSent: object({ hash: md5 }, ["hash"]),
  AnnouncedFile: object({ url: signedUrl, hash: md5 }, ["url", "hash"]),
  UploadedFile: object({ url: signedUrl, hash: md5, format: text, title: text }, ["url", "hash", "format", "title"]),
  Health: object({ status: text, checks: object({ store: text, files: text }, ["store", "files"]) }, ["status"]),
} as const;

export type UnversionedSchema = keyof typeof UNVERSIONED_SCHEMAS;
