import { REFUSALS } from "../domain/model/refusalRules.ts";
import { PROBLEMS, type RuleId } from "../domain/model/rules.ts";
import type { Rule } from "../domain/model/ruleTopics.ts";
import { SERVICE_HTTP_RULES } from "./serviceErrorRules.ts";

/** The rules of the HTTP interface, and the list of all rules including those of the domain, for the error reference. */

type HttpRule = Rule & { readonly statuses: readonly number[] };

const HTTP_RULES = {
  "The request": {
    "unknown-path": {
      statuses: [404],
      title: "Unknown path",
      text: "The API description of each version lists its paths.",
    },
    "unknown-version": { statuses: [404], title: "Unknown API version", text: "The documentation lists the versions." },
    "method-not-allowed": {
      statuses: [405],
      title: "The path does not support this method",
      text: "The header Allow lists the methods that it supports.",
    },
    "content-type": {
      statuses: [415],
      title: "Unsupported content type",
      text: "Send the Content-Type that the API description names for this operation.",
    },
    "too-large": {
      statuses: [413],
      title: "The body is too large",
      text: "The API description states the maximum size in bytes.",
    },
    "no-data": {
      statuses: [422],
      title: "The body has no object data",
      text: 'Wrap the object that you send: {"data": {...}}.',
    },
    "not-json": { statuses: [422], title: "The body is not a JSON object", text: "Send one JSON object in UTF-8." },
    "json-too-complex": {
      statuses: [422],
      title: "A JSON body has too many values or is nested too deeply",
      text:
        "A body may have up to 250,000 values (JSON_VALUES_MAX), 20,000 keys in each object, and 64 levels of nesting. Split " +
        "the data into several requests.",
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
      title: "A valid API key is required",
      text: "Send the key as the user name of Basic authentication, or as a Bearer token.",
    },
    "cross-site": {
      statuses: [403],
      title: "Cross-site write",
      text:
        "A page of another site made the browser send a write request with a stored API key. Send the request from a program, " +
        "or from a page of the same origin.",
    },
    "repeated-header": {
      statuses: [400],
      title: "A header was sent twice",
      text: "The error entry names the header. Send it once; check whether a proxy adds the second one.",
    },
    "no-jsonp": {
      statuses: [400],
      title: "JSONP is not available here",
      text: "The response depends on the API key, and any web page could read it through JSONP. Request JSON instead.",
    },
    "bad-callback": {
      statuses: [400],
      title: "Invalid JSONP callback name",
      text: "opt_jsonp must be the name of a function, such as app.show.",
    },
    "bad-offset": {
      statuses: [404],
      title: "Invalid feed offset",
      text: "Use next_page.offset of the previous page or a time, or start without an offset.",
    },
    "bad-filter": {
      statuses: [422],
      title: "Invalid query parameter",
      text: "The API reference lists the filters and the format of their values. Unknown parameters are ignored.",
    },
    "bad-at": { statuses: [422], title: "Invalid past time", text: "Send a past time in ISO 8601; write + as %2B." },
    "too-many-streams": {
      statuses: [429, 503],
      title: "Too many streams are open",
      text:
        "Retry after the time in Retry-After, or follow the feed by its pages. Status 429: your address or key has too many " +
        "streams open, so close those that you do not need; 503: all clients together do.",
    },
    "too-many-stream-queries": {
      statuses: [429],
      title: "Too many streams with different filters are open",
      text:
        "The number of different combinations of filters and fields in the open streams of one address or key is limited. Use " +
        "one stream with a wider filter and select from its events, or close streams that you do not need.",
    },
    "too-many-requests": {
      statuses: [429],
      title: "Too many requests",
      text: "Retry after the time in Retry-After. The header RateLimit says how many requests are left.",
    },
    "request-malformed": {
      statuses: [400],
      title: "The request is not valid HTTP",
      text: "Use a client that supports HTTP/1.1.",
    },
    "path-malformed": {
      statuses: [400],
      title: "The path is not percent-encoded correctly",
      text: "Encode every segment of the path as UTF-8, for example with encodeURIComponent().",
    },
    "headers-too-long": { statuses: [431], title: "The headers are too long", text: "Send fewer or shorter headers." },
    "request-timeout": {
      statuses: [408],
      title: "The request took too long to arrive",
      text: "Retry over a faster connection.",
    },
    "bad-range": {
      statuses: [416],
      title: "The requested range is outside the file",
      text: "The header Content-Range states the size of the file in bytes.",
    },
    "bad-expectation": {
      statuses: [417],
      title: "Unsupported Expect header",
      text: "The only supported value is 100-continue.",
    },
    "sealed-bids": {
      statuses: [403],
      title: "Bids are sealed",
      text: "Until bidding and the auction are over, only the owner of a bid can see it.",
    },
    unavailable: {
      statuses: [503],
      title: "The service is temporarily unavailable",
      text:
        "Retry after the time in Retry-After. A write may or may not have been carried out: with an Idempotency-Key it is safe " +
        "to retry.",
    },
    "internal-error": {
      statuses: [500],
      title: "Internal error",
      text: "Report the id of the request to the operator of the registry.",
    },
  },
  "Retries, conditional requests and the sandbox": {
    "idempotency-key": {
      statuses: [422],
      title: "Invalid Idempotency-Key",
      text: "Send 1 to 255 printable ASCII characters, such as a random UUID.",
    },
    "idempotency-key-reused": {
      statuses: [422],
      title: "The Idempotency-Key was used for another request",
      text: "A key stands for one request for a day. Send the same request again, or use another key.",
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
      title: "The ETag in If-Match is not the current one",
      text: "The resource has changed since you read it. Read it again, and decide whether the change still applies.",
    },
    "unknown-clock": {
      statuses: [422],
      title: "Unknown test clock",
      text: "Create one with POST /sandbox/clocks and send its id. Test clocks exist in the sandbox only.",
    },
    "too-many-clocks": {
      statuses: [403],
      title: "The account has too many test clocks",
      text: "Reuse a clock: any number of tenders can share one. GET /sandbox/clocks lists yours.",
    },
    "clock-move": {
      statuses: [422],
      title: "Invalid move of a test clock",
      text: "Send exactly one of to, by and next. A clock cannot be moved back.",
    },
  },
  Webhooks: {
    "webhook-field-unknown": {
      statuses: [422],
      title: "Unknown field of a webhook",
      text: "A webhook has url, version, mode, opt_fields, filter, offset and status; a rotation of its secret has overlap.",
    },
    "webhook-field-fixed": {
      statuses: [422],
      title: "The field of a webhook cannot be changed",
      text: "Create another webhook and delete this one.",
    },
    "webhook-field-type": {
      statuses: [422],
      title: "A field of a webhook has the wrong type",
      text: "All fields are strings, except filter, which is an object of strings.",
    },
    "webhook-url": {
      statuses: [422],
      title: "Invalid webhook URL",
      text: "Send an http or https URL without user name and password.",
    },
    "webhook-address-refused": {
      statuses: [422],
      title: "The host of a webhook URL is not allowed",
      text: "In production the host must resolve to public addresses; private and loopback addresses are not allowed.",
    },
    "webhook-version": {
      statuses: [422],
      title: "Unknown API version of a webhook",
      text: "Use one of the versions of the API.",
    },
    "webhook-mode": {
      statuses: [422],
      title: "Invalid mode of a webhook",
      text: "Send test or _all_, or leave it out.",
    },
    "webhook-offset": {
      statuses: [422],
      title: "Invalid offset of a webhook",
      text: "Use next_page.offset of a feed page or a time, or leave it out to start now.",
    },
    "webhook-status": {
      statuses: [422],
      title: "Invalid status of a webhook",
      text: "Send active or paused.",
    },
    "webhook-filter": {
      statuses: [422],
      title: "Invalid filter of a webhook",
      text: "The names and values are those of the feed's filters.",
    },
    "webhook-overlap": {
      statuses: [422],
      title: "Invalid overlap of webhook secrets",
      text: "Send a duration of at most 7 days, as PT24H or in seconds, or leave it out.",
    },
    "too-many-secrets": {
      statuses: [403],
      title: "A webhook has too many valid secrets",
      text: "Wait until older secrets expire, or send overlap 0, which ends them at once.",
    },
    "too-many-webhooks": {
      statuses: [403],
      title: "The account has too many webhooks",
      text: "Delete a webhook that you no longer need.",
    },
  },
  ...SERVICE_HTTP_RULES,
  Files: {
    "form-malformed": {
      statuses: [422],
      title: "Malformed form",
      text: "Send a complete multipart/form-data body, with its boundary in the Content-Type.",
    },
    "file-missing": { statuses: [404], title: "The form has no file", text: "Send the file in the field named file." },
    "one-file-only": { statuses: [422], title: "The form has more than one file", text: "Upload one file at a time." },
    "not-from-document-service": {
      statuses: [403],
      title: "The URL of a document is not from the document service",
      text:
        "Upload the file to the document service first and send the url from its response. An upload can be attached to one " +
        "tender only.",
    },
    "upload-missing": {
      statuses: [422],
      title: "There is no upload under the URL",
      text: "Upload the file, and attach it to a tender within a day.",
    },
    "bad-signature": {
      statuses: [403, 422],
      title: "Invalid signature of a URL",
      text: "Use the URL exactly as the document service returned it, with the same hash.",
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
      title: "A file was already uploaded to this URL",
      text: "Register another upload.",
    },
    "wrong-checksum": {
      statuses: [403],
      title: "The file does not match its registered hash",
      text: "Send the registered file, or register the file that you have.",
    },
    "link-expired": {
      statuses: [403],
      title: "The download link has expired",
      text: "Links to content are short-lived; allowedUntil says when this one expired. Request a new one.",
    },
  },
} as const satisfies { readonly [topic: string]: { readonly [id: string]: HttpRule } };

type HttpRuleId = { [Topic in keyof typeof HTTP_RULES]: keyof (typeof HTTP_RULES)[Topic] }[keyof typeof HTTP_RULES];

/** The id of any rule: `rule` of an error entry. */
export type ErrorRuleId = HttpRuleId | RuleId;

/** A rule as the error reference lists it. */
export type ListedRule = HttpRule & { readonly id: string; readonly topic: string };

/** The statuses of domain refusals other than 403. */
const SPECIAL_STATUSES: { readonly [id: string]: readonly number[] | undefined } = {
  "not-found": [404],
  "unknown-procedure": [415],
} satisfies { readonly [id in RuleId]?: readonly number[] };

/** Operators see these refusals on the command line, which has no HTTP statuses. */
const OPERATOR_TOPIC: keyof typeof PROBLEMS & keyof typeof REFUSALS = "Repairs by an operator";

function listRules(
  topics: { readonly [topic: string]: { readonly [id: string]: Rule & Partial<HttpRule> } },
  ...defaultStatuses: readonly number[]
): readonly ListedRule[] {
  return Object.entries(topics).flatMap(([topic, rules]) =>
    Object.entries(rules).map(([id, { title, text, statuses = SPECIAL_STATUSES[id] ?? defaultStatuses }]) => ({
      id,
      topic,
      title,
      text,
      statuses: topic === OPERATOR_TOPIC ? [] : statuses,
    })),
  );
}

/** All rules by topic: first those of HTTP, then of the content of requests, then of the procedure; rules for operators are last. */
export function allRules(): readonly ListedRule[] {
  const rules = [...listRules(HTTP_RULES), ...listRules(PROBLEMS, 422), ...listRules(REFUSALS, 403)];
  const isOperatorRule = ({ topic }: ListedRule) => topic === OPERATOR_TOPIC;
  return [...rules.filter((rule) => !isOperatorRule(rule)), ...rules.filter(isOperatorRule)];
}
