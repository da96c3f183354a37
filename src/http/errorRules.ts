import { PROBLEMS, REFUSALS, type Rule, type RuleId } from "../domain/model/rules.ts";

/** The rules of asking over HTTP, beside those of the domain; and all of them together, for whoever looks one up. */

type HttpRule = Rule & { readonly statuses: readonly number[] };

const HTTP_RULES = {
  "The request": {
    "unknown-path": {
      statuses: [404],
      title: "There is no such path",
      text: "The description of each version lists its paths.",
    },
    "unknown-version": {
      statuses: [404],
      title: "There is no such version",
      text: "The first page lists the versions.",
    },
    "method-not-allowed": {
      statuses: [405],
      title: "The path has no such method",
      text: "The header Allow lists those it has.",
    },
    "content-type": {
      statuses: [415],
      title: "The body is of a type that is not taken here",
      text: "Send the Content-Type that the description names.",
    },
    "too-large": {
      statuses: [413],
      title: "The body is too large",
      text: "The description says how many bytes it may have.",
    },
    "no-data": { statuses: [422], title: "The body has no object data", text: 'Wrap what you send: {"data": {...}}.' },
    "not-json": { statuses: [422], title: "The body is not a JSON object", text: "Send one JSON object in UTF-8." },
    "json-too-complex": {
      statuses: [422],
      title: "A JSON body has too many values or is nested too deeply",
      text:
        "A body may have 250,000 values (JSON_VALUES_MAX), objects up to 20,000 keys each, and 64 levels of nesting. Send " +
        "less at a time.",
    },
    "too-many-bodies": {
      statuses: [429, 503],
      title: "Too many bytes of request bodies are in flight",
      text:
        "Retry after the time in Retry-After. Status 429: your account has too much in flight, so send fewer requests at " +
        "once; 503: all accounts together do.",
    },
    "duplicate-key": { statuses: [422], title: "A JSON object has a key twice", text: "Send each key once." },
    "key-needed": {
      statuses: [401],
      title: "A known API key is needed",
      text: "Send the key as user name of Basic authentication, or as Bearer.",
    },
    "cross-site": {
      statuses: [403],
      title: "A page of another site tried to write",
      text:
        "A page of another site made a browser send a key that it remembers. Write from a program, or from a page of the " +
        "same origin.",
    },
    "repeated-header": {
      statuses: [400],
      title: "A header was sent twice",
      text: "The entry names the header. Send it once; a proxy in between may have added the other one.",
    },
    "no-jsonp": {
      statuses: [400],
      title: "JSONP is not available here",
      text: "What is shown here depends on the key, and any web page could read it through JSONP. Request JSON instead.",
    },
    "bad-callback": {
      statuses: [400],
      title: "The name of a callback is not one",
      text: "opt_jsonp is the name of a function, such as app.show.",
    },
    "bad-offset": {
      statuses: [404],
      title: "An offset of the feed cannot be read",
      text: "Use next_page.offset of the page before, a time, or begin without an offset.",
    },
    "bad-filter": {
      statuses: [422],
      title: "A parameter of the query cannot be understood",
      text: "The reference lists the filters and how their values are written. Names that are not known are ignored, as ever.",
    },
    "too-many-streams": {
      statuses: [429, 503],
      title: "Too many streams are open",
      text:
        "Ask again after the time that Retry-After says, or follow the feed by its pages. Status 429: they are from your " +
        "address or with your key, so close what you do not need; 503: from all together.",
    },
    "too-many-stream-queries": {
      statuses: [429],
      title: "Too many streams with different filters are open",
      text:
        "The open streams of one address or key may have a limited number of different combinations of filters and fields. Use " +
        "one stream with a wider filter and select from its events, or close streams that you do not need.",
    },
    "too-many-requests": {
      statuses: [429],
      title: "Too many requests",
      text: "Wait as long as the header Retry-After says; the header RateLimit says how many are left.",
    },
    "request-malformed": {
      statuses: [400],
      title: "The request is not HTTP",
      text: "Use a client that speaks HTTP/1.1.",
    },
    "headers-too-long": { statuses: [431], title: "The headers are too long", text: "Send fewer or shorter ones." },
    "request-timeout": {
      statuses: [408],
      title: "The request took too long to arrive",
      text: "Send it again, faster.",
    },
    "bad-range": {
      statuses: [416],
      title: "The file has no such range",
      text: "The header Content-Range says how many bytes it has.",
    },
    "bad-expectation": {
      statuses: [417],
      title: "An expectation is not understood",
      text: "The only one is Expect: 100-continue.",
    },
    "sealed-bids": {
      statuses: [403],
      title: "Bids are sealed",
      text: "Until bidding and the auction are over, a bid is shown to its owner alone.",
    },
    unavailable: {
      statuses: [503],
      title: "The service cannot answer now",
      text: "Ask again after the time that Retry-After says: a write may or may not have been done.",
    },
    "internal-error": {
      statuses: [500],
      title: "Something went wrong on our side",
      text: "Tell the operator the id of the request.",
    },
  },
  "Asking again, and the sandbox": {
    "idempotency-key": {
      statuses: [422],
      title: "An Idempotency-Key cannot be one",
      text: "Send 1 to 255 printable characters of ASCII, such as a random UUID.",
    },
    "idempotency-key-reused": {
      statuses: [422],
      title: "An Idempotency-Key came with another request before",
      text: "A key names one request for a day: send the same request again, or another key.",
    },
    "idempotency-quota": {
      statuses: [403],
      title: "The account has used up its space for idempotency records",
      text:
        "Responses to requests with an Idempotency-Key are stored for a day, up to a number of bytes for each account. The request was " +
        "not carried out. Keys that you used before still work; wait until older ones expire, or send the request without a key.",
    },
    "precondition-failed": {
      statuses: [412],
      title: "If-Match names another ETag than GET gives now",
      text: "Somebody has changed it since you read it: read it again, and decide again.",
    },
    "unknown-clock": {
      statuses: [422],
      title: "There is no such test clock",
      text: "Make one with POST /sandbox/clocks and send its id; in production there are none.",
    },
    "too-many-clocks": {
      statuses: [403],
      title: "The account has too many test clocks",
      text: "Reuse a clock: any number of tenders can share one. GET /sandbox/clocks lists yours.",
    },
    "clock-move": {
      statuses: [422],
      title: "A test clock cannot be moved so",
      text: "Say exactly one of to, by and next; a clock never goes back.",
    },
  },
  Webhooks: {
    "webhook-field-unknown": {
      statuses: [422],
      title: "A webhook has no such field",
      text: "It has url, version, mode, opt_fields, filter, offset and status; a rotation of its secret has overlap.",
    },
    "webhook-field-fixed": {
      statuses: [422],
      title: "A field of a webhook cannot be changed",
      text: "Make another webhook, and remove this one.",
    },
    "webhook-field-type": {
      statuses: [422],
      title: "A field of a webhook is not of its type",
      text: "Texts are texts, and filter is an object of texts.",
    },
    "webhook-url": {
      statuses: [422],
      title: "The address of a webhook cannot be one",
      text: "Send an http or https address without user name and password.",
    },
    "webhook-address-refused": {
      statuses: [422],
      title: "The address of a webhook is not sent to",
      text: "In production it has to be known and public: nothing is sent to private and loopback addresses.",
    },
    "webhook-version": {
      statuses: [422],
      title: "A webhook speaks no such version",
      text: "Name one of the versions of the API.",
    },
    "webhook-mode": { statuses: [422], title: "There is no such mode", text: "Say test or _all_, or leave it out." },
    "webhook-offset": {
      statuses: [422],
      title: "An offset is no place in the feed",
      text: "Use next_page.offset of a page, a time, or leave it out to be told from now on.",
    },
    "webhook-status": {
      statuses: [422],
      title: "A webhook has no such status",
      text: "It is active or paused.",
    },
    "webhook-filter": {
      statuses: [422],
      title: "A filter of a webhook cannot be understood",
      text: "The names and values are those of the feed's filters.",
    },
    "webhook-overlap": {
      statuses: [422],
      title: "Secrets of a webhook cannot overlap for that long",
      text: "Send a duration of at most 7 days, as PT24H or in seconds, or leave it out.",
    },
    "too-many-secrets": {
      statuses: [403],
      title: "Too many secrets of a webhook count at once",
      text: "Wait until older ones have ended, or send overlap 0, which ends them now.",
    },
    "too-many-webhooks": {
      statuses: [403],
      title: "An account has too many webhooks",
      text: "Remove one that is not needed any more.",
    },
  },
  Files: {
    "form-malformed": {
      statuses: [422],
      title: "A form cannot be read",
      text: "Send multipart/form-data with its boundary, whole.",
    },
    "file-missing": { statuses: [404], title: "A form has no file", text: "Send the file in the field named file." },
    "one-file-only": { statuses: [422], title: "A form has more than one file", text: "Upload one file at a time." },
    "not-from-document-service": {
      statuses: [403],
      title: "The address of a document is not from the document service",
      text: "Upload the file there first and send the url that it answers; an upload belongs to one tender.",
    },
    "upload-missing": {
      statuses: [422],
      title: "Nothing was uploaded under the address",
      text: "Upload the file, and register it within a day.",
    },
    "bad-signature": {
      statuses: [403, 422],
      title: "The signature of an address is not right",
      text: "Use the address exactly as the document service gave it, with the same hash.",
    },
    "too-many-uploads": {
      statuses: [403],
      title: "Too many uploads are waiting to be attached",
      text:
        "Attach the uploaded files as documents, or wait until they expire, a day after their upload. Uploads that have become " +
        "documents do not count.",
    },
    "already-uploaded": {
      statuses: [403],
      title: "There is content under the address already",
      text: "Register another upload.",
    },
    "wrong-checksum": {
      statuses: [403],
      title: "The file is not what was registered",
      text: "Its hash differs from the one that was registered: send the file again, or register what you have.",
    },
    "link-expired": {
      statuses: [403],
      title: "A link has expired",
      text: "Links to content are short-lived; allowedUntil says how long this one was good.",
    },
  },
} as const satisfies { readonly [topic: string]: { readonly [id: string]: HttpRule } };

type HttpRuleId = { [Topic in keyof typeof HTTP_RULES]: keyof (typeof HTTP_RULES)[Topic] }[keyof typeof HTTP_RULES];
export type ErrorRuleId = HttpRuleId | RuleId;

export type ListedRule = HttpRule & { readonly id: string; readonly topic: string };

/** The statuses of refusals that are not simply forbidden. */
const SPECIAL_STATUSES: { readonly [id in RuleId]?: readonly number[] } = {
  "not-found": [404],
  "unknown-procedure": [415],
};

/** Operators are told by the command line, which knows no statuses. */
const OPERATOR_TOPIC: keyof typeof PROBLEMS & keyof typeof REFUSALS = "Repairs by an operator";

function listRules(
  topics: { readonly [topic: string]: { readonly [id: string]: Rule & Partial<HttpRule> } },
  ...defaultStatuses: readonly number[]
): readonly ListedRule[] {
  return Object.entries(topics).flatMap(([topic, rules]) =>
    Object.entries(rules).map(
      ([id, { title, text, statuses = SPECIAL_STATUSES[id as RuleId] ?? defaultStatuses }]) => ({
        id,
        topic,
        title,
        text,
        statuses: topic === OPERATOR_TOPIC ? [] : statuses,
      }),
    ),
  );
}

/** Every rule there is, by topic: what may be wrong with a request, with what it sends, and with doing it. */
export function allRules(): readonly ListedRule[] {
  const rules = [...listRules(HTTP_RULES), ...listRules(PROBLEMS, 422), ...listRules(REFUSALS, 403)];
  const isOperatorRule = ({ topic }: ListedRule) => topic === OPERATOR_TOPIC;
  return [...rules.filter((rule) => !isOperatorRule(rule)), ...rules.filter(isOperatorRule)];
}
