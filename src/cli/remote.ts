import { type Client, openClient, TenderhallError, UnknownKeyError } from "../client/index.ts";
import type { Environment } from "../config.ts";
import { optionNamed } from "./filters.ts";
import { complained, type Here, MISUSED, type Operated, type Options, type Run, type Values } from "./operated.ts";

/** The registry over HTTP: where it is, who asks, and how what goes wrong is told to a person. */
export type Remote = {
  readonly url: string;
  readonly client: Client;
  /** The same registry, for somebody else or in the words of another version. */
  readonly as: (who: { readonly key: string; readonly version?: string }) => Client;
};

const URL_OPTION: Options = {
  url: { takes: "URL", means: "the server, without /api; default: TENDERHALL_URL, else http://127.0.0.1:8080" },
};

/** Of commands that write, for which a sandbox has the account `broker`. */
export const REMOTE_OPTIONS: Options = {
  ...URL_OPTION,
  key: { takes: "KEY", means: "the key to ask with; default: TENDERHALL_KEY, else broker" },
};

/** Of commands that read what everybody may read. */
export const READING_OPTIONS: Options = {
  ...URL_OPTION,
  key: { takes: "KEY", means: "the key to ask with; default: TENDERHALL_KEY, else none" },
};

const DEFAULT_URL = "http://127.0.0.1:8080";
const SANDBOX_KEY = "broker";

/** Whoever runs for long waits for a server that is away for a moment; others hear soon that nobody is there. */
const PATIENT = { max: 6 };
const IMPATIENT = { unanswered: 1 };

/** How often following comes back to a server that is gone: about ten seconds. */
export const FOLLOWED_AGAIN = 4;

export type Asked = (remote: Remote, here: Here) => Promise<Operated>;

/** `patient`: waits for a server that is away; `reads`: asks for what is public, and so without a key where none is given. */
type Asking = { readonly patient?: boolean; readonly reads?: boolean };

/** Of a command that asks a server. */
export const withRemote =
  (values: Values, ask: Asked, { patient = false, reads = false }: Asking = {}): Run =>
  async (here) => {
    const misused = wrongUrl(values);
    if (misused) return complained(MISUSED, [misused]);
    const remote = openRemote(values, here.environment, { patient, reads });
    return ask(remote, here).catch((error) => {
      const wrong = wrongOptions(error, values);
      if (wrong.length > 0) return complained(MISUSED, wrong);
      throw new Error(problemOf(error, remote), { cause: error });
    });
  };

/** What is wrong with --url, if it is given. */
export const wrongUrl = ({ url }: Values): string | undefined =>
  typeof url === "string" ? whyNoServer("--url", url) : undefined;

/** A registry may be below a path, but what every request adds by itself is none of it. */
function whyNoServer(name: string, url: string): string | undefined {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return `${name} takes an http or https address, not "${url}"`;
  const [ours] = /\/api(\/[^/]*)?\/*$/.exec(url) ?? [];
  return ours && `${name} takes the server's address, without ${ours}`;
}

/** Where the server refuses what options said, they were wrong: told by the names that were typed. */
export function wrongOptions(error: unknown, values: Values): readonly string[] {
  if (!(error instanceof TenderhallError) || !NOT_UNDERSTOOD.includes(error.status)) return [];
  const told = error.errors.flatMap(({ location, name, description, rule }) => {
    const option = optionNamed(name);
    // What a body says may be understood, and refused for how things stand.
    const isWrong = location !== "body" || rule === "bad-date";
    return values[option] === undefined || !isWrong ? [] : [`--${option} ${values[option]}: ${textOf(description)}`];
  });
  return told.length === error.errors.length ? told : [];
}

const NOT_UNDERSTOOD = [400, 404, 422];

function openRemote(values: Values, environment: Environment, { patient, reads }: Asking): Remote {
  const { TENDERHALL_URL, TENDERHALL_KEY } = environment;
  const given = (values.url as string | undefined) ?? (TENDERHALL_URL?.trim() || DEFAULT_URL);
  const problem = whyNoServer("TENDERHALL_URL", given);
  if (problem) throw new Error(problem);
  const url = given.replace(/\/+$/, "");
  const key = (values.key as string | undefined) ?? (TENDERHALL_KEY?.trim() || (reads ? undefined : SANDBOX_KEY));
  const retries = patient ? PATIENT : IMPATIENT;
  return { url, client: openClient({ url, retries, key }), as: (who) => openClient({ url, retries, ...who }) };
}

/** As `422 body/value: This field is required.`, a line for each entry. */
export function problemOf(error: unknown, { url }: Remote): string {
  if (!(error instanceof TenderhallError)) return (error as Error).message;
  if (error instanceof UnknownKeyError)
    return `${url} does not know the key of --key or TENDERHALL_KEY (${error.reason})`;
  const { status, errors, cause, message } = error;
  if (status === 0) return `${url} does not answer: ${reasonOf(cause as Error)}`;
  const told = errors.map(({ location, name, description }) => `${status} ${location}/${name}: ${textOf(description)}`);
  return told.join("\n") || `${url}: ${message}`;
}

const textOf = (description: unknown): string =>
  typeof description === "string" ? description : JSON.stringify(description);

function reasonOf(error: Error): string {
  const cause = error.cause as { readonly code?: string; readonly message?: string } | undefined;
  return cause?.code ?? cause?.message ?? error.message;
}
