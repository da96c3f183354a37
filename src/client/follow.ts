import { apiPath } from "./calls.ts";
import { TenderhallError } from "./errors.ts";
import { readEventStream, STREAM_UNAVAILABLE } from "./eventStream.ts";
import { type FeedEntry, type FeedParams, toQuery } from "./feedParams.ts";
import { type FeedPosition, openFeedPosition } from "./feedPosition.ts";
import { type Change, changesOfPage } from "./pagination.ts";
import { type ClientSettings, connectionError } from "./requests.ts";
import { isTransient, pause, retryDelayMs } from "./retries.ts";
import type { Tenders } from "./tenders.ts";

/** The options of `client.follow`. It also takes the filters of the feed. */
export type FollowOptions = FeedParams & {
  /** Ends the loop, without an error, when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** `false` polls the feed page by page. Default: the registry streams changes, and polling is the fallback. */
  readonly push?: boolean | undefined;
  /** The pause between two polls that find nothing new, in milliseconds. Default: 2000. */
  readonly pollMs?: number | undefined;
  /** After how many milliseconds without data a stream counts as broken. Default: 45 000, three heartbeats. */
  readonly idleTimeoutMs?: number | undefined;
  /** How many retries in a row may fail before the loop throws the error. Default: no limit. */
  readonly retries?: number | undefined;
  /** The number of entries on a page when polling. */
  readonly limit?: number | undefined;
  /** Called with every error after which the loop continues. */
  readonly onRetry?: ((error: unknown) => void) | undefined;
};

/**
 * Yields every change from `offset` on and then new changes as they happen: each exactly once, also across lost
 * connections. Ends only by `signal` or `break`. Throws an error that is not transient, and a transient one after
 * `retries` failures in a row.
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
          : connectionError("Following the feed", new URL(settings.url), error, undefined);
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
  const { limit: _limit, idleTimeoutMs, signal, ...feedParams } = options;
  const path = apiPath(settings, "/tenders/stream");
  for await (const { id, data } of readEventStream(
    settings,
    path,
    { query: toQuery(feedParams), idleTimeoutMs, signal },
    position,
  )) {
    // An event without data only moves the position past changes that the filters leave out.
    const entry: FeedEntry | undefined = data === undefined ? undefined : JSON.parse(data);
    if (entry && position.isNew(entry)) yield { ...entry, offset: position.moveTo(id ?? entry.dateModified, entry) };
    else if (id !== undefined && !entry) position.moveTo(id);
  }
}

/** Polls page by page. While nothing changes, the registry answers 304. */
async function* pollChanges(
  _settings: ClientSettings,
  tenders: Tenders,
  options: FollowOptions,
  position: FeedPosition,
): AsyncGenerator<Change, void, undefined> {
  const { pollMs = POLL_MS, signal, ...feedParams } = options;
  let ifNoneMatch: string | undefined;
  for (;;) {
    // `follow` retries by itself, from the last position.
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
