import { allRules, type ErrorRuleId, type ListedRule } from "../../../http/errorRules.ts";
import type { DocumentedOperation } from "../openapiDocument.ts";

/** Which operations can be refused by which rule, for the list of errors of each operation. */

type Occasion = (operation: DocumentedOperation) => boolean;

const wordsOf = ({ path }: DocumentedOperation): readonly string[] =>
  path.split("/").filter((word) => word !== "" && !word.startsWith("{"));
const collectionOf = (operation: DocumentedOperation): string => wordsOf(operation).at(-1) ?? "";

const isWrite: Occasion = ({ method }) => method !== "GET";
const needsKey: Occasion = (operation) => operation.needsKey;
const isTenderOperation: Occasion = ({ path }) => path.startsWith("/tenders");
const sendsJson: Occasion = ({ json }) => json !== undefined;
const sendsFields: Occasion = (operation) => isTenderOperation(operation) && sendsJson(operation);
const sendsForm: Occasion = ({ takesFile }) => takesFile;
const takes =
  (name: string): Occasion =>
  ({ parameters }) =>
    parameters.some((parameter) => parameter.name === name);
/** `POST bids`, `PATCH bids`; the method `*` is any that writes. */
const at =
  (...places: readonly string[]): Occasion =>
  (operation) =>
    places.some((place) => {
      const [method, collection] = place.split(" ");
      const isMethod = method === "*" ? isWrite(operation) : operation.method === method;
      return isMethod && collectionOf(operation).replace("bidders", "bids") === collection;
    });
const either =
  (...occasions: readonly Occasion[]): Occasion =>
  (operation) =>
    occasions.some((occasion) => occasion(operation));
const both =
  (...occasions: readonly Occasion[]): Occasion =>
  (operation) =>
    occasions.every((occasion) => occasion(operation));
const below =
  (collection: string): Occasion =>
  (operation) =>
    wordsOf(operation).includes(collection);
/** Rules that the overview lists once: they can refuse any request, or any that writes. */
const ANY_REQUEST: Occasion = () => true;
const ANY_WRITE: Occasion = isWrite;
/** Only the command line of an operator breaks these. */
const OPERATOR: Occasion = () => false;

const isChangeOfTender: Occasion = both(isWrite, ({ path }) => path.startsWith("/tenders/{"));
const sendsTender = at("POST tenders", "PATCH tenders", "PATCH chronograph");
const sendsDocuments = either(
  both(sendsJson, at("POST documents", "PUT documents")),
  at("POST tenders", "POST bids", "POST awards", "POST contracts", "POST complaints", "POST cancellations"),
);
const sendsAmounts = either(sendsTender, at("* lots", "* bids", "* awards", "* contracts", "* auction"));
const sendsItems = either(sendsTender, at("* awards", "* contracts"));
const isDocumentWrite = at("* documents");
const isBidOperation = both(below("bids"), isWrite);
const isAuctionOperation: Occasion = ({ path }) => path.startsWith("/auctions/");
const isPriceOperation = both(isWrite, isAuctionOperation, below("bids"));
const placesPrice = both(isPriceOperation, ({ method }) => method === "POST");
const isOpenData = either(({ path }) => /^\/(?:ocds|data)\//.test(path), takes("opt_schema"));
const isWebhookBody = at("POST webhooks", "PATCH webhooks");

/** Every rule has an entry, so that a new rule does not compile without one. */
const OCCASIONS: { readonly [rule in ErrorRuleId]: Occasion } = {
  "unknown-path": ANY_REQUEST,
  "unknown-version": ANY_REQUEST,
  "method-not-allowed": ANY_REQUEST,
  "repeated-header": ANY_REQUEST,
  "too-many-requests": ANY_REQUEST,
  "request-malformed": ANY_REQUEST,
  "path-malformed": isOpenData,
  "headers-too-long": ANY_REQUEST,
  "request-timeout": ANY_REQUEST,
  "bad-expectation": ANY_REQUEST,
  unavailable: ANY_REQUEST,
  "internal-error": ANY_REQUEST,
  "content-type": ANY_WRITE,
  "too-large": ANY_WRITE,
  "too-many-bodies": ANY_WRITE,
  "no-data": ANY_WRITE,
  "not-json": ANY_WRITE,
  "json-too-complex": ANY_WRITE,
  "duplicate-key": ANY_WRITE,
  "key-needed": needsKey,
  "cross-site": ANY_WRITE,
  "no-jsonp": ANY_REQUEST,
  "bad-callback": ANY_REQUEST,
  "bad-offset": takes("offset"),
  "bad-filter": either(
    at("GET stream", "GET deliveries"),
    both(at("GET tenders"), takes("offset")),
    at("GET history", "GET search"),
    both(isOpenData, either(takes("offset"), takes("releases"), takes("opt_schema"))),
  ),
  "bad-at": takes("at"),
  "open-data-off": isOpenData,
  "no-releases": isOpenData,
  "files-pending": at("GET data"),
  "too-many-streams": ({ isStream }) => isStream,
  "too-many-stream-queries": ({ isStream }) => isStream,
  "bad-range": at("GET documents", "GET get", "GET data"),
  "sealed-bids": both(({ method }) => method === "GET", below("bids")),
  "idempotency-key": ANY_WRITE,
  "idempotency-key-reused": ANY_WRITE,
  "idempotency-quota": ANY_WRITE,
  "precondition-failed": takes("If-Match"),
  "unknown-clock": takes("X-Test-Clock"),
  "too-many-clocks": at("POST clocks"),
  "clock-move": at("POST advance"),
  "webhook-field-unknown": isWebhookBody,
  "webhook-field-fixed": at("PATCH webhooks"),
  "webhook-field-type": isWebhookBody,
  "webhook-url": isWebhookBody,
  "webhook-address-refused": isWebhookBody,
  "webhook-version": isWebhookBody,
  "webhook-mode": isWebhookBody,
  "webhook-offset": isWebhookBody,
  "webhook-status": isWebhookBody,
  "webhook-filter": isWebhookBody,
  "webhook-overlap": at("POST secret"),
  "too-many-secrets": at("POST secret"),
  "too-many-webhooks": at("POST webhooks"),
  "form-malformed": sendsForm,
  "file-missing": sendsForm,
  "one-file-only": sendsForm,
  "not-from-document-service": sendsDocuments,
  "upload-missing": sendsDocuments,
  "bad-signature": either(sendsDocuments, at("POST upload", "GET get")),
  "too-many-uploads": at("POST register", "POST upload"),
  "already-uploaded": at("POST upload"),
  "wrong-checksum": at("POST upload"),
  "link-expired": at("GET get"),
  "field-required": either(sendsFields, at("POST register")),
  "unknown-field": either(sendsFields, at("POST register", "POST clocks", "POST advance")),
  "wrong-type": sendsFields,
  "not-a-choice": sendsFields,
  "bad-date": either(sendsFields, at("POST clocks", "POST advance")),
  "bad-text": sendsFields,
  "text-too-short": sendsFields,
  "text-too-long": sendsFields,
  "too-few-items": sendsFields,
  "too-many-items": sendsFields,
  "id-format": sendsFields,
  "hash-format": either(sendsFields, at("POST register")),
  "url-format": sendsFields,
  "email-format": sendsFields,
  "media-type-format": sendsFields,
  "one-field-twice": sendsFields,
  "field-kept": sendsFields,
  "amount-negative": sendsAmounts,
  "currency-code": sendsAmounts,
  "period-order": either(sendsTender, at("* awards", "* contracts")),
  "periods-overlap": sendsTender,
  "step-exceeds-value": either(sendsTender, at("* lots")),
  "currency-differs": sendsAmounts,
  "vat-differs": sendsAmounts,
  "id-repeated": either(sendsTender, at("POST lots")),
  "unknown-reference": either(sendsFields, at("DELETE lots")),
  "classification-code": sendsItems,
  "additional-classification": sendsItems,
  "items-of-one-class": sendsTender,
  "no-lots": either(sendsItems, at("POST cancellations")),
  "feature-code-repeated": sendsTender,
  "feature-value-repeated": sendsTender,
  "feature-value-range": sendsTender,
  "features-too-heavy": sendsTender,
  "bid-exceeds-value": at("POST bids", "PATCH bids", "POST auction"),
  "value-per-lot": at("POST bids", "PATCH bids", "POST auction"),
  "lot-bid-twice": at("POST bids", "PATCH bids", "POST auction", "PATCH auction"),
  "unknown-parameter": at("POST bids", "PATCH bids"),
  "parameter-value": at("POST bids", "PATCH bids"),
  "parameter-repeated": at("POST bids", "PATCH bids"),
  "parameters-incomplete": at("POST bids", "PATCH bids"),
  "auction-results-mismatch": at("POST auction", "PATCH auction"),
  "url-per-lot": at("PATCH auction"),
  "price-not-positive": placesPrice,
  "price-decimals": placesPrice,
  "price-step": placesPrice,
  "price-unconfirmed": placesPrice,
  "auction-stage": isPriceOperation,
  "auction-participant": isPriceOperation,
  "not-your-turn": isPriceOperation,
  "turn-ended": isPriceOperation,
  "no-price-to-take-back": both(isPriceOperation, ({ method }) => method === "DELETE"),
  "bidder-needed": isPriceOperation,
  "auction-link": isAuctionOperation,
  "too-many-prices": isPriceOperation,
  "record-not-public": at("GET record"),
  "no-participation-link": at("POST links"),
  "held-by-service": at("POST auction", "PATCH auction", "PATCH tenders", "PATCH chronograph"),
  "signed-in-stand-still": at("PATCH contracts"),
  "signed-in-future": at("PATCH contracts"),
  "not-found": ({ path }) => path.includes("{"),
  forbidden: either(needsKey, at("GET auction", "GET chronograph")),
  "wrong-role": both(isTenderOperation, isWrite),
  "not-the-author": at("PUT documents", "PATCH documents"),
  "accreditation-level": at("POST tenders", "POST bids", "POST complaints", "POST questions"),
  "test-mode-only": at("POST tenders", "POST bids", "POST complaints", "POST questions"),
  "buyer-kind": at("POST tenders"),
  "nothing-to-schedule": at("PATCH tenders", "PATCH chronograph"),
  "unknown-procedure": at("POST tenders"),
  "wrong-status": either(isChangeOfTender, at("GET auction")),
  "outside-enquiry-period": at("POST questions"),
  "outside-tender-period": isBidOperation,
  "before-tender-deadline": at("POST awards", "PATCH tenders"),
  "tendering-ended": at("PATCH tenders"),
  "outside-complaint-period": both(at("POST complaints"), below("awards")),
  "stand-still": at("PATCH contracts"),
  "complaints-open": at("PATCH contracts"),
  "lot-not-active": isChangeOfTender,
  "lot-cancellation": at("PATCH lots", "POST awards", "PATCH awards", "PATCH contracts"),
  "tender-awarded": at("PATCH tenders", "* lots"),
  "lot-complete": at("* cancellations"),
  "bid-status": at("PATCH bids"),
  "complaint-move": at("PATCH complaints"),
  "resolution-too-short": at("PATCH complaints"),
  "award-exists": at("POST awards", "PATCH awards"),
  "not-qualified": at("PATCH awards"),
  "award-not-pending": either(at("PATCH awards"), both(isDocumentWrite, below("bids"))),
  "contract-status": either(at("PATCH contracts"), both(isDocumentWrite, below("contracts"))),
  "contract-move": at("PATCH contracts"),
  "contract-value": at("PATCH contracts"),
  "contract-items": at("PATCH contracts"),
  "contract-exceeds-award": at("PATCH contracts"),
  "too-many-bids": at("POST bids"),
  "bids-too-large": isBidOperation,
  "tender-too-large": both(isTenderOperation, isWrite),
  "tender-full": both(isTenderOperation, isWrite),
  "unknown-status": OPERATOR,
  "stays-sealed": OPERATOR,
  "unknown-file": OPERATOR,
  "resolution-missing": OPERATOR,
  "changed-meanwhile": OPERATOR,
  "procedure-fixed": OPERATOR,
  "deadlines-stuck": OPERATOR,
  "bid-ids": OPERATOR,
};

/** The rules that can refuse any request, and those that can refuse any request that writes. */
export const requestErrorRules = (): readonly ListedRule[] => rulesWith(ANY_REQUEST);
export const writeErrorRules = (): readonly ListedRule[] => rulesWith(ANY_WRITE);

// `allRules` lists the rules of these tables, so every id is one of their ids.
const occasionOf = ({ id }: ListedRule): Occasion => OCCASIONS[id as ErrorRuleId];
const rulesWith = (occasion: Occasion): readonly ListedRule[] =>
  allRules().filter((rule) => occasionOf(rule) === occasion);

/** The rules that can refuse an operation beside those. */
export const errorRulesOf = (operation: DocumentedOperation): readonly ListedRule[] =>
  allRules().filter((rule) => {
    const occasion = occasionOf(rule);
    return occasion !== ANY_REQUEST && occasion !== ANY_WRITE && occasion(operation);
  });
