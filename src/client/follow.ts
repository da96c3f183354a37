import { apiPath } from "./calls.ts";
import { TenderhallError } from "./errors.ts";
import { type FeedEntry, type FeedWishes, queryOf } from "./filters.ts";
import { type Change, changesOn } from "./pages.ts";
import { type Place, placeAt } from "./place.ts";
import { failed, type Settings } from "./requests.ts";
import { NOT_THERE, readStream } from "./streaming.ts";
import type { Tenders } from "./tenders.ts";
import { isTransient, pause, pauseMs } from "./waiting.ts";

/** How to follow. */
export type Following = FeedWishes & {
  /** Ends the loop. */
  readonly signal?: AbortSignal | undefined;
  /** `false` asks for page after page; without it the registry pushes, where it can. */
  readonly push?: boolean | undefined;
  /** How long to wait between two looks at the feed while nothing happens; 2000 without this. */
  readonly pollMs?: number | undefined;
  /** After how much silence a stream counts as broken; 45 000 without this, three heart-beats. */
  readonly silentMs?: number | undefined;
  /** How often in a row it comes back before it throws what went wrong; without this for ever. */
  readonly retries?: number | undefined;
  /** Entries on a page, where pages are asked for. */
  readonly limit?: number | undefined;
  /** Told of every failure that following survives. */
  readonly onRetry?: ((error: unknown) => void) | undefined;
};

/**
 * Every change from `offset` on, and then those to come, each once and none left out, whatever happens to the
 * connection. Ends only by `signal` or `break`, and throws only what trying again would not mend, or has not for as often
 * as `retries` says.
 */
export async function* follow(
  settings: Settings,
  tenders: Tenders,
  wishes: Following = {},
): AsyncGenerator<Change, void, undefined> {
  const place = placeAt(wishes.offset);
  let looking: typeof streamed = wishes.push === false ? polled : streamed;
  while (!wishes.signal?.aborted) {
    let askedForMs = 0;
    try {
      for await (const change of looking(settings, tenders, wishes, place)) {
        if (wishes.signal?.aborted) return;
        yield change;
      }
    } catch (error) {
      if (wishes.signal?.aborted) return;
      if (error === NOT_THERE) {
        looking = polled;
        continue;
      }
      const told =
        error instanceof TenderhallError ? error : failed("Following", new URL(settings.url), error, undefined);
      if (!isTransient(told.status) || place.failures() >= (wishes.retries ?? Number.POSITIVE_INFINITY)) throw told;
      wishes.onRetry?.(error);
      askedForMs = told.retryAfterMs;
    }
    const { retries } = settings;
    const firstMs = place.retryMs() ?? retries.firstMs;
    const waitMs = pauseMs(place.failed(), { ...retries, firstMs, longestMs: LONGEST_MS }, askedForMs);
    await pause(waitMs, wishes.signal).catch(() => {});
  }
}

const LONGEST_MS = 30_000;
const POLL_MS = 2000;

async function* streamed(
  settings: Settings,
  _tenders: Tenders,
  wishes: Following,
  place: Place,
): AsyncGenerator<Change, void, undefined> {
  const { limit: _limit, silentMs, signal, ...asked } = wishes;
  const path = apiPath(settings, "/tenders/stream");
  for await (const { id, data } of readStream(settings, path, { query: queryOf(asked), silentMs, signal }, place)) {
    const entry = data === undefined ? undefined : (JSON.parse(data) as FeedEntry);
    if (entry && place.isNew(entry)) yield { ...entry, offset: place.moveTo(id ?? entry.dateModified, entry) };
    else if (id !== undefined && !entry) place.moveTo(id);
  }
}

/** Page after page. Where nothing has changed since the last look, the registry says only that. */
async function* polled(
  _settings: Settings,
  tenders: Tenders,
  wishes: Following,
  place: Place,
): AsyncGenerator<Change, void, undefined> {
  const { pollMs = POLL_MS, signal, ...asked } = wishes;
  let ifNoneMatch: string | undefined;
  for (;;) {
    // Whoever follows comes back as often as is wanted, and goes on from its place.
    const page = await tenders.list({ ...asked, offset: place.offset(), ifNoneMatch, signal, retries: 0 });
    place.succeeded();
    const changes = page.notModified ? [] : changesOn(page);
    for (const change of changes)
      if (place.isNew(change)) {
        place.moveTo(change.offset, change);
        yield change;
      }
    ifNoneMatch = changes.length === 0 ? page.etag : undefined;
    if (!page.notModified) place.moveTo(page.next_page.offset);
    if (changes.length === 0) await pause(pollMs, signal);
  }
}
