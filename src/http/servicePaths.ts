import { json, object, parameter, ref } from "./openapiWords.ts";

/** What is beside the versions and has no route of the table: the document service, and what operators ask. */

const text = { type: "string" };
const md5 = { type: "string", pattern: "^md5:[0-9a-f]{32}$" };
const address = { type: "string", format: "uri" };
const KEY = { security: [{ key: [] }, { bearer: [] }] };
const ERROR = { $ref: "#/components/responses/Error" };
const form = { "multipart/form-data": { schema: object({ file: { type: "string", format: "binary" } }, ["file"]) } };
const dry = parameter("dry_run", "Anything but empty or 0: the answer that it would give, nothing stored");
const once = parameter("Idempotency-Key", "The same key and request get the same answer for a day", "header");

const uploaded = object(
  {
    data: object({ url: address, hash: md5, format: text, title: text }, ["url", "hash", "format", "title"]),
    get_url: { ...address, description: "Where it can be read for some minutes" },
  },
  ["data", "get_url"],
);

const answers = (status: number, description: string, content: object) => ({
  responses: { [status]: { description, content }, default: ERROR },
});

const withKey = (what: string) => ({ ...parameter("key", what, "path"), required: true });

const status = object({ status: text, checks: object({ store: text, files: text }, ["store", "files"]) }, ["status"]);

export const SERVICE_PATHS = {
  "/register": {
    post: {
      operationId: "post_register",
      summary: "Announces a file that will be uploaded",
      parameters: [dry, once],
      ...KEY,
      requestBody: { required: true, content: json(object({ data: object({ hash: md5 }, ["hash"]) }, ["data"])) },
      ...answers(
        201,
        "Where to upload it, and what to register it by",
        json(
          object({ data: object({ url: address, hash: md5 }, ["url", "hash"]), upload_url: address }, [
            "data",
            "upload_url",
          ]),
        ),
      ),
    },
  },
  "/upload": {
    post: {
      operationId: "post_upload",
      summary: "Uploads a file ahead of its document",
      parameters: [dry, once],
      ...KEY,
      requestBody: { required: true, content: form },
      ...answers(200, "What to register it by", json(uploaded)),
    },
  },
  "/upload/{key}": {
    post: {
      operationId: "post_upload_key",
      summary: "Uploads a file that was announced, to the address that was given for it",
      parameters: [withKey("Of the address that was given"), dry, once],
      requestBody: { required: true, content: form },
      ...answers(200, "What to register it by", json(uploaded)),
    },
  },
  "/get/{key}": {
    get: {
      operationId: "get_get_key",
      summary: "A file of the document service, by an address that was signed for it",
      parameters: [withKey("Of the address that was given")],
      ...answers(200, "The file", { "*/*": {} }),
    },
  },
  "/health/live": {
    get: {
      operationId: "get_health_live",
      summary: "Whether the process runs",
      ...answers(200, "It does", json(ref("Health"))),
    },
  },
  "/health/ready": {
    get: {
      operationId: "get_health_ready",
      summary: "Whether requests can be served: the store and the files are asked",
      responses: {
        200: { description: "They can", content: json(ref("Health")) },
        503: { description: "Not now", content: json(ref("Health")) },
      },
    },
  },
};

export const SERVICE_SCHEMAS = { Health: status };
