import { Readable } from "node:stream";
import { startLoop } from "../base/loop.ts";
import { newId } from "../base/secrets.ts";
import { auditFileName, renderAudit } from "../domain/auctions/audit.ts";
import type { AuctionState } from "../domain/auctions/model.ts";
import { SERVICE_AUCTION } from "../domain/model/actors.ts";
import type { Tender, TenderStatus } from "../domain/model/tender.ts";
import { procedureOf } from "../domain/procedures/index.ts";
import { accepts } from "../domain/procedures/procedure.ts";
import { type Instant, MINUTE, type Zone } from "../domain/values/time.ts";
import type { Files } from "../files/files.ts";
import type { Registry } from "../registry/registry.ts";
import { visitTenders } from "../registry/tenderSearch.ts";
import type { Store } from "../store/store.ts";

/** Attaches the audit documents of auctions that have ended to their tenders. */
export type AuditDocuments = { readonly stop: () => Promise<void> };

export type AuditDocumentsSettings = {
  readonly registry: Pick<Registry, "change"> & { readonly auctions: Pick<Registry["auctions"], "onDisclosed"> };
  readonly store: Pick<Store, "feed" | "find" | "clock">;
  readonly files: Pick<Files, "receive" | "keep" | "discard">;
  readonly zone: Zone;
  readonly onFailure: (error: unknown) => void;
  /** Whether a timer searches for documents that are missing: see `RegistrySettings`. */
  readonly runsTimer: boolean;
};

const SEARCH_MS = 60_000;
/** Longer than the pause between two searches. The first search is about all tenders. */
const SEARCHED = 3 * MINUTE;
const FORMAT = "application/yaml";
/** The statuses after an auction in which a tender accepts documents of it. */
const SEARCHED_STATUSES: readonly TenderStatus[] = ["active.qualification", "active.awarded"];

/** A buyer may upload a file of the same name, which is not the document of the auction. */
const hasAudit = ({ documents }: Tender, auction: string): boolean =>
  documents.some(({ title, author }) => title === auditFileName(auction) && author === "auction");

/** The auctions whose audit documents are missing: they have ended, and the names of their bidders are public. */
function auctionsWithoutAudit(tender: Tender): readonly AuctionState[] {
  const missing = (tender.auctions ?? []).filter(
    ({ id, status, names }) => status === "ended" && names !== undefined && !hasAudit(tender, id),
  );
  return missing.length > 0 && accepts(procedureOf(tender), tender, "add auction document") ? missing : [];
}

/**
 * Attaches audit documents as soon as auctions are over, before the write that ends an auction on a test clock returns. A server that
 * was killed before it could do so leaves a tender without the document, which the searches of all servers find.
 */
export function openAuditDocuments(settings: AuditDocumentsSettings): AuditDocuments {
  const { registry, store, files, zone, onFailure, runsTimer } = settings;
  let stopped = false;
  /** By the id of the tender. */
  const attaching = new Map<string, Promise<void>>();

  async function attach({ id, testClock }: Tender, state: AuctionState): Promise<void> {
    const key = newId();
    const record = await files.receive(key, Readable.from([renderAudit(state, zone)]), Number.MAX_SAFE_INTEGER);
    if (record === "too large") throw new Error("an audit document cannot be too large");
    const { size, sha256, md5 } = record;
    const file = { title: auditFileName(state.id), format: FORMAT, key, size, sha256, hash: `md5:${md5}` };
    // If this throws, the commit may or may not be durable: the next sweep of files keeps the file or removes it.
    const result = await registry.change(id, { kind: "add document", of: {}, file }, SERVICE_AUCTION, {
      ...(testClock !== undefined && { testClock }),
      // Checked in the commit, so that only one of several servers attaches the document.
      precondition: (current) => !hasAudit(current, state.id),
    });
    const isAttached = result !== "moved" && "ok" in result && result.ok;
    await (isAttached ? files.keep(key).catch(() => {}) : files.discard(key));
    if (result !== "moved" && !isAttached)
      throw new Error(`the audit document of auction ${state.id} was refused: ${JSON.stringify(result)}`);
  }

  async function attachAll(tender: Tender): Promise<void> {
    for (const state of auctionsWithoutAudit(tender)) await attach(tender, state);
  }

  function attachMissing(tender: Tender): Promise<void> | undefined {
    // To attach a document is a write, too, which is followed up while it is in progress.
    if (stopped || attaching.has(tender.id) || auctionsWithoutAudit(tender).length === 0) return undefined;
    const running = attachAll(tender).finally(() => attaching.delete(tender.id));
    attaching.set(tender.id, running);
    return running;
  }

  let since: Instant | undefined;
  async function search(): Promise<void> {
    const startedAt = store.clock();
    // One tender that fails must not keep the others from their documents.
    await visitTenders(store, { statuses: SEARCHED_STATUSES, since }, (tender) =>
      attachMissing(tender)?.catch(onFailure),
    );
    since = startedAt - SEARCHED;
  }

  // The write that ended the auction has succeeded, so it must not fail if the document cannot be attached now.
  registry.auctions.onDisclosed((tender) => attachMissing(tender)?.catch(onFailure));
  const loop = runsTimer ? startLoop(search, SEARCH_MS, onFailure) : undefined;
  return {
    stop: async () => {
      stopped = true;
      await loop?.stop();
      await Promise.allSettled(attaching.values());
    },
  };
}
