import { setImmediate } from "node:timers/promises";
import type { Actor } from "../domain/actors.ts";
import type { Command, DocumentSent, Filed, Holder, RegistrationSent } from "../domain/commands.ts";
import { documentsOf, latestOf, latestVersions, mayUpload, previousVersions } from "../domain/documents.ts";
import type { Tender } from "../domain/tender.ts";
import type { Done, Manner } from "../registry/registry.ts";
import { newId } from "../registry/secrets.ts";
import { NoRoom } from "../store/store.ts";
import { withLink, withLinks } from "../views/documentLinks.ts";
import { type Answer, answerTo, NOT_FOUND } from "./answers.ts";
import { actorOf } from "./auth.ts";
import { created, found, foundAll } from "./dataResponses.ts";
import { type DownloadPorts, download } from "./downloads.ts";
import type { Exchange } from "./exchange.ts";
import type { Fields } from "./multipart.ts";
import { type ReceivingPorts, receiveFile } from "./receiving.ts";
import { fileOf, keep, type RegistrationPorts, withUploads } from "./registering.ts";
import { attempt, change } from "./runCommand.ts";
import { redirectTo, type SignedAddressPorts } from "./signedDownloads.ts";

type DocumentExchange = Exchange<RegistrationPorts & SignedAddressPorts & DownloadPorts & ReceivingPorts>;

/** Whose documents a path speaks of. */
export function holderOf({ params }: Pick<Exchange, "params">): Holder {
  const { bid_id: bid, award_id: award, contract_id: contract, complaint_id: complaint, cancellation_id } = params;
  return { bid, award, contract, complaint, cancellation: cancellation_id };
}

function holderPath({ id }: Tender, { bid, award, contract, complaint, cancellation }: Holder): string {
  const steps = { bids: bid, awards: award, contracts: contract, complaints: complaint, cancellations: cancellation };
  const path = Object.entries(steps).map(([name, step]) => (step === undefined ? "" : `/${name}/${step}`));
  return `/tenders/${id}${path.join("")}`;
}

export async function listDocuments(exchange: DocumentExchange): Promise<Answer> {
  const tender = exchange.tender!;
  const holder = holderOf(exchange);
  const documents = documentsOf(tender, holder);
  const listed = exchange.query.get("all") ? documents : latestVersions(documents);
  return foundAll(exchange, "Document", withLinks(listed, holderPath(tender, holder)));
}

export async function showDocument(exchange: DocumentExchange): Promise<Answer> {
  const { query, params } = exchange;
  const tender = exchange.tender!;
  const holder = holderOf(exchange);
  const documents = documentsOf(tender, holder);
  const key = query.get("download");
  if (key) {
    const version = documents.find((document) => document.id === params.document_id && document.key === key);
    if (!version) return NOT_FOUND("download");
    return redirects(exchange) ? redirectTo(exchange, tender.id, version) : download(exchange, version);
  }
  return showLatest(exchange, tender, holder, params.document_id!, true);
}

/** Where downloads are sent to S3 anyway, one redirect is enough. */
const redirects = ({ dialect, ports }: DocumentExchange): boolean =>
  dialect.manners.downloads === "redirected" && !ports.config.documents?.redirects;

function showLatest(
  exchange: DocumentExchange,
  tender: Tender,
  holder: Holder,
  id: string,
  withPrevious = false,
): Answer {
  return found(exchange, "Document", latestShown(tender, holder, id, withPrevious));
}

function latestShown(tender: Tender, holder: Holder, id: string, withPrevious = false): unknown {
  const documents = documentsOf(tender, holder);
  const latest = latestOf(documents, id)!;
  const path = holderPath(tender, holder);
  const previous = withPrevious && { previousVersions: withLinks(previousVersions(documents, latest), path) };
  return { ...withLink(latest, path), ...previous };
}

export async function addDocument(exchange: DocumentExchange): Promise<Answer> {
  const of = holderOf(exchange);
  return file(exchange, {
    command: (filed) => ({ kind: "add document", of, ...filed }),
    show: ({ tender, id }) => created(exchange, "Document", latestShown(tender, of, id!), id!),
  });
}

export async function replaceDocument(exchange: DocumentExchange): Promise<Answer> {
  const of = holderOf(exchange);
  const document = exchange.params.document_id!;
  return file(exchange, {
    replaced: document,
    command: (filed) => ({ kind: "replace document", of, document, ...filed }),
    show: ({ tender }) => showLatest(exchange, tender, of, document),
  });
}

export async function editDocument(exchange: DocumentExchange): Promise<Answer> {
  const holder = holderOf(exchange);
  const document = exchange.params.document_id!;
  const current = latestOf(documentsOf(exchange.tender!, holder), document);
  const sent = exchange.dialect.readPatch<DocumentSent>("Document", exchange.body!.data, current);
  return change(exchange, "Document", { kind: "edit document", of: holder, document, sent }, ({ tender }) =>
    showLatest(exchange, tender, holder, document),
  );
}

/** A new version: what makes it of a file, and how it is shown. */
type Filing = {
  readonly replaced?: string;
  readonly command: (filed: Filed) => Command;
  readonly show: (done: Done) => Answer;
};

const file = (exchange: DocumentExchange, filing: Filing): Promise<Answer> =>
  exchange.body ? register(exchange, filing) : upload(exchange, filing);

/** Whoever may not upload is told before a byte of the file is taken. */
function refusedTo(
  exchange: DocumentExchange,
  { replaced }: Filing,
  who: Actor,
  said?: Filed["said"],
): Answer | undefined {
  const allowed = mayUpload(exchange.tender!, holderOf(exchange), replaced, who, said);
  return allowed.ok ? undefined : answerTo(allowed.refused, exchange.dialect, said ? "Registration" : "Document");
}

/** A file whose record is refused leaves nothing behind. The owner token may also come as a field of the form, ahead of the file. */
async function upload(exchange: DocumentExchange, filing: Filing): Promise<Answer> {
  const { request, ports, actor, once: asked } = exchange;
  // What was done before is told again, whether or not it could be done now.
  const refusal = (who: Actor) => (asked?.wasAsked ? undefined : refusedTo(exchange, filing, who));
  const unreadable = refusal(actor);
  if (unreadable && actor.tokenHash) return unreadable;
  const received = await receiveFile<Actor>(ports, request, {
    key: newId(),
    admit: async (fields) => {
      const who = actor.tokenHash ? actor : await withTokenOfForm(actor, fields);
      const refused = refusal(who);
      return refused ? { refused } : { who };
    },
    unreadable,
  });
  if ("refused" in received) return received.refused;
  const { who, upload, record } = received;
  const { key, sha256 } = record;
  const once = exchange.once?.withBody([upload.title, upload.format, sha256, who.tokenHash].join("\n"));
  const command = filing.command({ file: fileOf(upload, record) });
  const ask = (manner: Manner) => ports.registry.change(exchange.tender!.id, command, who, manner);
  // If this throws, nobody knows whether the record is durable: the file stays where the sweep at the next start finds it,
  // unless there was no room for the record, when whoever sends it again must not take more and more.
  const { answer, isDone } = await attempt({ ...exchange, once }, "Document", ask, filing.show).catch(async (error) => {
    if (error instanceof NoRoom) await ports.files.discard(key).catch(() => {});
    throw error;
  });
  await (isDone ? keep(ports, key) : ports.files.discard(key));
  return answer;
}

async function withTokenOfForm({ account }: Actor, fields: Fields): Promise<Actor> {
  await setImmediate();
  return actorOf(account, fields.get("acc_token"));
}

/** What is said, and by whom, is looked at first; then whether the address is one of ours; then the file itself. */
async function register(exchange: DocumentExchange, filing: Filing): Promise<Answer> {
  const { ports, dialect, actor, body } = exchange;
  const said = dialect.readNew<RegistrationSent>("Registration", body!.data);
  const refused = refusedTo(exchange, filing, actor, said);
  if (refused) return refused;
  return withUploads(exchange, [said.fields], ([file], newKeys) => {
    const command = filing.command({ file: file!, said });
    const ask = (manner: Manner) =>
      ports.registry.change(exchange.tender!.id, command, actor, { ...manner, files: newKeys });
    return attempt(exchange, "Registration", ask, filing.show);
  });
}
