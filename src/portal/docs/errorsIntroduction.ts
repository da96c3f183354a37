/** What stands above the rules: on the page of the service and, by scripts/errors.ts, in docs/errors.md. */

/** Whose turn it is, by the status. */
export const STATUS_HELP: readonly (readonly [status: number, means: string, todo: string])[] = [
  [400, "The request is broken", "Look at what was sent: a proxy or a library may have damaged it."],
  [401, "No key, or one that is not known", "Send the key as user name of Basic authentication, or as Bearer token."],
  [403, "Not yours, or not now", "Send the owner token; read the status and the moments that the entry names."],
  [404, "Not there", "Check the ids on the path. A sealed bid is not there for anybody but its owner."],
  [405, "There is nothing of that kind to do here", "The header `Allow` lists what there is."],
  [408, "The request took too long to arrive", "Send it again, with the same `Idempotency-Key`."],
  [412, "It changed since you read it", "Read it again, and send `If-Match` with its new ETag."],
  [413, "Too large", "The entry names the limit."],
  [415, "The wrong Content-Type, or a procedure that is not known", "JSON for data, a multipart form for files."],
  [416, "The file has no such part", "Ask for a range within its length, or for all of it."],
  [417, "An `Expect` that cannot be met", "Send none, or `100-continue`."],
  [422, "Fields are wrong", "There is one entry for each field; mend them all and send it again."],
  [429, "Too many requests", "Wait as long as `Retry-After` and the `RateLimit` headers say."],
  [431, "The headers are too large", "Send fewer, or shorter ones."],
  [500, "Our mistake", "Send it again with the same `Idempotency-Key`; tell the operators the id of the request."],
  [
    503,
    "It cannot be answered now",
    "Wait as long as `Retry-After` says, and send it again with the same `Idempotency-Key`.",
  ],
];

const statusRow = ([status, means, todo]: (typeof STATUS_HELP)[number]): string =>
  `| \`${status}\` | ${means} | ${todo} |`;

export const ERRORS_INTRODUCTION = `# Errors

Whatever is refused is answered in one form: a status, and an entry for everything that is wrong.

\`\`\`json
{
  "status": "error",
  "errors": [
    {
      "location": "body",
      "name": "data",
      "description": "Can't add bid in current (active.enquiries) tender status",
      "rule": "wrong-status",
      "docs": "http://127.0.0.1:8080/docs/errors#wrong-status",
      "allowedFrom": "2026-11-23T10:00:00+02:00",
      "allowedUntil": "2026-11-30T10:00:00+02:00"
    }
  ]
}
\`\`\`

- \`location\` and \`name\` say what the error is about: a \`header\`, the \`url\`, its \`params\`, or a field of the \`body\`.
- \`description\` is for people. Under 2.5 it is a list or an object where several things are wrong with one field.
- \`rule\` is for programs: the id of a rule on this page, which never changes. Where a description tells several things, it
  is the rule of the first.
- \`docs\` leads to the rule.
- \`allowedFrom\` and \`allowedUntil\` are there where time decides: from the one, and before the other, it is or was allowed. An
  end that nobody knows yet is left out.

Try without consequences: \`?dry_run=1\` on any write gives the answer and stores nothing ([how](guides/first-tender.md)).

## By status

| status | means | what to do |
|---|---|---|
${STATUS_HELP.map(statusRow).join("\n")}
`;
