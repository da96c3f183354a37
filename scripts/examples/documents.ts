import { EXAMPLE_IDS } from "../../src/dialects/shapes/exampleIds.ts";
import { FILES } from "./bodies.ts";
import type { Recorder } from "./recorder.ts";

/** Documents are dealt with in the same way, whatever they belong to. */

export type Holder = {
  /** As in `/tenders/{tender_id}/bids/{bid_id}`. */
  readonly path: string;
  readonly ids: { readonly [name: string]: string };
  readonly key: string;
  readonly token: string;
  readonly file: keyof typeof FILES;
  /** The version knows files of the document service. */
  readonly registers?: true;
};

const keyIn = (url: string): string => new URL(url).searchParams.get("download")!;

/** Adds a document, replaces it, changes its metadata and reads it. */
export async function recordDocuments(recorder: Recorder, holder: Holder, shown?: string): Promise<void> {
  const { send, show } = recorder;
  const { path, ids, key, token } = holder;
  const [name, content] = FILES[holder.file];
  const by = { key, token, ids };
  const list = `${path}/documents`;
  const { body } = await send(`POST ${list}`, {
    ...by,
    name: "upload",
    summary: "Upload a file",
    file: { name, content },
  });
  const document = { ...ids, document_id: body.data.id as string };
  if (shown) {
    show(shown, document.document_id);
    show(EXAMPLE_IDS.documentKey, keyIn(body.data.url));
  }
  const itemPath = `${list}/{document_id}`;
  await send(`GET ${list}`, { ...by, name: "list", summary: "The documents" });
  const changed = { description: "Menu for the first four weeks", documentType: "technicalSpecifications" };
  await send(`PATCH ${itemPath}`, {
    ...by,
    ids: document,
    name: "metadata",
    summary: "Say what the document is",
    data: [
      "Document",
      path.split("/").length > 3 ? { title: name.replace(".", "-signed.") } : { title: name, ...changed },
    ],
  });
  await send(`PUT ${itemPath}`, {
    ...by,
    ids: document,
    name: "version",
    summary: "Upload a new version",
    file: { name, content: `${content}Corrected.\n` },
  });
  const { body: read } = await send(`GET ${itemPath}`, {
    ...by,
    ids: document,
    name: "document",
    summary: "The document with its previous versions",
  });
  if (holder.registers) await recordRegistrations(recorder, holder, document);
  const download = keyIn(read.data.url);
  await send(`GET ${itemPath}`, { ...by, ids: document, query: { download }, name: "download", summary: "The file" });
}

/** A file that was uploaded to the document service first, as a new document and as a new version. */
async function recordRegistrations({ send }: Recorder, holder: Holder, document: Holder["ids"]): Promise<void> {
  const { path, ids, key, token } = holder;
  const [name, content] = FILES[holder.file];
  const { body } = await send("POST /upload", { key, isOfSite: true, file: { name, content: `${content}Final.\n` } });
  const request = {
    ...{ key, token, name: "register", query: { dry_run: "1" } },
    summary: "Register a file of the document service",
    data: ["Registration", body.data] as const,
  };
  await send(`POST ${path}/documents`, { ...request, ids });
  await send(`PUT ${path}/documents/{document_id}`, { ...request, ids: document });
}
