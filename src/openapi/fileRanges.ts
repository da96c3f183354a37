import { RANGE_NOT_SATISFIABLE } from "../http/errorResponses.ts";
import type { ResponseKind } from "../http/route.ts";
import { EXAMPLE_ORIGIN, jsonContent, schemaRef } from "./openapiBuilders.ts";
import { header, type Parameter } from "./parameters.ts";
import { useHeaders } from "./responses.ts";

/** How files are described that clients can download in parts. */

type RangeKind = NonNullable<ResponseKind["ranges"]>;

const LAST_MODIFIED = "Mon, 16 Nov 2026 08:30:00 GMT";

const IF_MODIFIED_SINCE = header(
  "If-Modified-Since",
  "`Last-Modified` of the file that you have: if it has not changed, the response is 304 without a body. Ignored if `If-None-Match` is sent.",
  LAST_MODIFIED,
);
const RANGE = header(
  "Range",
  "The part of the file that you want, in bytes, for example to resume a download. You get the whole file if you ask for several ranges.",
  "bytes=1048576-",
);
const IF_RANGE = header(
  "If-Range",
  "`ETag` of the file that you have a part of: if the file has changed since, you get the whole of it instead of the range.",
  '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
);

/** The parameters of a request for a file. */
export const rangeParameters = (ranges: RangeKind): readonly Parameter[] => [
  ...(ranges === "by ETag or date" ? [IF_MODIFIED_SINCE] : []),
  RANGE,
  IF_RANGE,
];

const textHeader = (description: string, example: string) => ({ description, schema: { type: "string" }, example });

/** The headers of a file, besides those of every response. */
export const fileHeaders = (ranges: RangeKind): object => ({
  "Accept-Ranges": textHeader("Ranges of the file can be requested, in bytes.", "bytes"),
  ...(ranges === "by ETag or date" && {
    "Last-Modified": textHeader("When the file changed last.", LAST_MODIFIED),
  }),
});

const REFUSED_RANGE = {
  status: "error",
  errors: (RANGE_NOT_SATISFIABLE(2_097_152).errors ?? []).map((error) => ({
    ...error,
    docs: `${EXAMPLE_ORIGIN}/docs/errors#${error.rule}`,
  })),
};

/** The responses to requests for a range, and to those that have the file already. */
export const rangeResponses = (ranges: RangeKind): object => ({
  206: {
    description: "The range of the file.",
    headers: {
      ...useHeaders("X-Request-ID", "ETag"),
      ...fileHeaders(ranges),
      "Content-Range": textHeader("Which bytes these are, and how many the file has.", "bytes 1048576-2097151/2097152"),
    },
    content: {
      "*/*": {
        schema: { type: "string", format: "binary" },
        examples: { rest: { summary: "The rest of an interrupted download", value: "…" } },
      },
    },
  },
  304: {
    description: "The file is the one that you have, by the conditions of the request.",
    headers: { ...useHeaders("X-Request-ID", "ETag"), ...fileHeaders(ranges) },
  },
  416: {
    description: "The range begins after the end of the file.",
    headers: {
      ...useHeaders("X-Request-ID"),
      "Content-Range": textHeader("How many bytes the file has.", "bytes */2097152"),
    },
    content: jsonContent(schemaRef("Error"), { refused: { value: REFUSED_RANGE } }),
  },
});
