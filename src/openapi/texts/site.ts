import type { OperationTexts } from "./text.ts";

/** What is beside the versions. */

const UPLOADER = "Needs a key of a group that may upload documents, such as a broker's.";
const OWN = "Webhooks of other accounts do not exist for you: 404.";

const OPEN_DATA = "Everyone may read it, without a key.";

export const SITE_TEXTS: OperationTexts = {
  "GET /ocds/releases":
    "Lists the releases of all tenders in the order of change, as a package of the Open Contracting Data Standard. Follow `links.next` to " +
    "get every release, each once. The last page has no `links.next`: ask for it again later, and it has what is new. A release never " +
    `changes. Filters choose tenders as they are at present. If nothing is found, the status is 404. ${OPEN_DATA}`,
  "GET /ocds/releases/{release_id}": `Returns a release as a package of its own. Its \`ETag\` tells whether the package is still the same. ${OPEN_DATA}`,
  "GET /ocds/records":
    "Lists the records of tenders in the order of their last change: all releases, the compiled release and the versioned release. A " +
    `tender that changes moves to the end. If nothing is found, the status is 404. ${OPEN_DATA}`,
  "GET /ocds/records/{ocid}": `Returns everything about a tender: all releases, the compiled release and the versioned release. ${OPEN_DATA}`,
  "GET /data/{data_file}":
    "Returns a bulk file of open data, or the manifest, which lists all files with their sizes, dates and checksums. Ranges of files are " +
    "supported, so that an interrupted download can be resumed; the manifest is always sent as a whole. Until the files are made for the " +
    `first time, the status is 404 with \`Retry-After\`. ${OPEN_DATA}`,
  "GET /ocds/extensions/tenderhall/{extension_file}": `Returns a file of the extension by which releases say more than the standard has fields for. ${OPEN_DATA}`,
  "GET /ocds/extensions/tenderhall/codelists/{codelist_file}": `Returns a codelist of that extension as CSV. ${OPEN_DATA}`,
  "GET /sandbox/clocks":
    "Lists the test clocks of the account whose key is sent; without a key the list is empty. Sandbox only.",
  "POST /sandbox/clocks":
    "Creates a test clock, which stands still until it is moved. Sandbox only. Needs a key; an account has at most 10,000 clocks. Next: " +
    "create a tender with the clock's `id` in the header `X-Test-Clock`, and advance the clock.",
  "GET /sandbox/clocks/{clock_id}":
    "Returns a test clock with the tenders that live on it, at most 1,000 of them. Sandbox only. Everyone may read it, without a key; " +
    "drafts are shown to the account that owns the clock.",
  "POST /sandbox/clocks/{clock_id}/advance":
    "Moves a test clock forward and carries out, in order, everything that falls due on the way: to a time (`to`), by a duration (`by`), " +
    "or to the next deadline (`next`). Sandbox only. Needs the key of the account that created the clock. A clock never goes back: " +
    "refused with 422.",
  "GET /webhooks": "Lists the webhooks of the account whose key is sent.",
  "POST /webhooks":
    "Creates a webhook: from now on, or from `offset`, each change of a tender is sent to `url` by POST, with the body of a feed entry " +
    "in `data`. Needs the key of a broker or an administrator; an account has at most 100 webhooks. The response contains the " +
    "secret that deliveries are signed with in `access.secret`: store it, because it is shown only this once. Next: verify the header " +
    "`Tenderhall-Signature` of each delivery and answer with a 2xx status; other deliveries are retried for three days.",
  "GET /webhooks/{webhook_id}": `Returns a webhook and how far it has come. Needs the key of its account. ${OWN}`,
  "PATCH /webhooks/{webhook_id}":
    "Changes the address, the fields or the filter of a webhook, or pauses it (`paused`) and lets it go on (`active`): what changed " +
    `meanwhile is delivered then. Needs the key of its account. ${OWN}`,
  "DELETE /webhooks/{webhook_id}": `Removes a webhook with its deliveries, and returns it as it was. Needs the key of its account. ${OWN}`,
  "POST /webhooks/{webhook_id}/secret":
    "Gives a webhook a new secret, in `access.secret`. For `overlap`, 24 hours if absent, deliveries are signed with the old secrets as " +
    `well, so that no delivery is lost. The body may be left out. Needs the key of its account. ${OWN}`,
  "GET /webhooks/{webhook_id}/deliveries":
    "Lists the deliveries of a webhook, latest change first. Delivered and failed ones are listed for seven days. Needs the key of its " +
    `account. ${OWN}`,
  "GET /webhooks/{webhook_id}/deliveries/{delivery_id}": `Returns a delivery and what came of it. Needs the key of its account. ${OWN}`,
  "POST /webhooks/{webhook_id}/deliveries/{delivery_id}/resend":
    "Sends a delivery again, whatever came of it before, and retries it like a new one. The request has no body. Needs the key of its " +
    `account. ${OWN}`,
  "POST /register":
    `Announces a file by its checksum and returns where to upload it. ${UPLOADER} Next: POST the file to \`upload_url\`, which needs no key, ` +
    "then register the document with `data.url` and `data.hash` at a tender.",
  "POST /upload":
    `Uploads a file before its document exists. ${UPLOADER} Next: within a day, register the document with \`data.url\` and \`data.hash\` at a ` +
    "tender; files that nobody registers are removed. Refused with 403 if too many uploads of the account wait for their documents.",
  "POST /upload/{key}":
    "Uploads a file that was announced with POST /register, to the address that was returned there. The address is the permission: it " +
    "needs no key, works once, and takes only the file with the announced checksum; otherwise refused with 403.",
  "GET /get/{key}":
    "Returns a file by a signed address that the registry returned; nobody makes such addresses by hand. Needs no key. Ranges are " +
    "supported. Refused with 403 if the signature is wrong or the address has expired.",
  "GET /health/live":
    "Returns 200 as long as the process runs; nothing else is checked. Needs no key and is not rate-limited.",
  "GET /health/ready":
    "Returns 200 if requests can be served: the database and the file store are asked. Otherwise 503, also while the process stops. " +
    "Needs no key and is not rate-limited.",
};
