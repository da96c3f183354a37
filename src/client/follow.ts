import { apiPath } from "./calls.ts";
import { TenderhallError } from "./errors.ts";
import { readEventStream, STREAM_UNAVAILABLE } from "./eventStream.ts";
import { type FeedEntry, type FeedParams, toQuery } from "./feedParams.ts";
import { type FeedPosition, openFeedPosition } from "./feedPosition.ts";
import { type Change, changesOfPage } from "./pagination.ts";
import { type ClientSettings, connectionError } from "./requests.ts";
import { isTransient, pause, retryDelayMs } from "./retries.ts";
import type { Tenders } from "./tenders.ts";

/** How to follow. */
export type FollowOptions = FeedParams & {
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
  settings: ClientSettings,
  tenders: Tenders,
  options: FollowOptions = {},
): AsyncGenerator<Change, void, undefined> {
  const position = openFeedPosition(options.offset);
  let readChanges: typeof streamChanges = options.push === false ? pollChanges : streamChanges;
  while (!options.signal?.aborted) {
    let retryAfterMs = 0;
    try {
      for await (const change of readChanges(settings, tenders, options, position)) {
        if (options.signal?.aborted) return;
        yield change;
      }
    } catch (error) {
      if (options.signal?.aborted) return;
      if (error === STREAM_UNAVAILABLE) {
        readChanges = pollChanges;
        continue;
      }
      const failure =
        error instanceof TenderhallError
          ? error
          : connectionError("Following", new URL(settings.url), error, undefined);
      if (!isTransient(failure.status) || position.failures() >= (options.retries ?? Number.POSITIVE_INFINITY))
        throw failure;
      options.onRetry?.(error);
      retryAfterMs = failure.retryAfterMs;
    }
    const { retries } = settings;
    const firstMs = position.retryMs() ?? retries.initialDelayMs;
    const delayMs = retryDelayMs(
      position.recordFailure(),
      { ...retries, initialDelayMs: firstMs, maxDelayMs: MAX_RETRY_DELAY_MS },
      retryAfterMs,
    );
    await pause(delayMs, options.signal).catch(() => {});
  }
}

const MAX_RETRY_DELAY_MS = 30_000;
const POLL_MS = 2000;

async function* streamChanges(
  settings: ClientSettings,
  _tenders: Tenders,
  options: FollowOptions,
  position: FeedPosition,
): AsyncGenerator<Change, void, undefined> {
  const { limit: _limit, silentMs, signal, ...feedParams } = options;
  const path = apiPath(settings, "/tenders/stream");
  for await (const { id, data } of readEventStream(
    settings,
    path,
    { query: toQuery(feedParams), silentMs, signal },
    position,
  )) {
    const entry = data === undefined ? undefined : (JSON.parse(data) as FeedEntry);
    if (entry && position.isNew(entry)) yield { ...entry, offset: position.moveTo(id ?? entry.dateModified, entry) };
    else if (id !== undefined && !entry) position.moveTo(id);
  }
}

/** Page after page. Where nothing has changed since the last look, the registry says only that. */
async function* pollChanges(
  _settings: ClientSettings,
  tenders: Tenders,
  options: FollowOptions,
  position: FeedPosition,
): AsyncGenerator<Change, void, undefined> {
  const { pollMs = POLL_MS, signal, ...feedParams } = options;
  let ifNoneMatch: string | undefined;
  for (;;) {
    // Whoever follows comes back as often as is wanted, and goes on from its place.
    const page = await tenders.list({ ...feedParams, offset: position.offset(), ifNoneMatch, signal, retries: 0 });
    position.recordSuccess();
    const changes = page.notModified ? [] : changesOfPage(page);
    for (const change of changes)
      if (position.isNew(change)) {
        position.moveTo(change.offset, change);
        yield change;
      }
    ifNoneMatch = changes.length === 0 ? page.etag : undefined;
    if (!page.notModified) position.moveTo(page.next_page.offset);
    if (changes.length === 0) await pause(pollMs, signal);
  }
}
