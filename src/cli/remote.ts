import { type Client, openClient, TenderhallError } from "../client/index.ts";
import type { Environment } from "../config.ts";
import type { Here, Operated, Options, Run, Values } from "./operated.ts";

/** The registry over HTTP: where it is, who asks, and how what goes wrong is told to a person. */
export type Remote = {
  readonly url: string;
  readonly client: Client;
  /** The same registry, for somebody else or in the words of another version. */
  readonly as: (who: { readonly key: string; readonly version?: string }) => Client;
};

export const REMOTE_OPTIONS: Options = {
  url: { takes: "URL", means: "the server; default: TENDERHALL_URL, else http://127.0.0.1:8080" },
  key: { takes: "KEY", means: "the key to ask with; default: TENDERHALL_KEY, else broker" },
};

const DEFAULT_URL = "http://127.0.0.1:8080";
const DEFAULT_KEY = "broker";

/** Whoever runs for long waits for a server that is away for a moment; others hear soon that nobody is there. */
const PATIENT = { max: 6 };
const IMPATIENT = { unanswered: 1 };

/** How often following comes back to a server that is gone: about ten seconds. */
export const FOLLOWED_AGAIN = 4;

export type Asked = (remote: Remote, here: Here) => Promise<Operated>;

/** Of a command that asks a server. */
export const withRemote =
  (values: Values, ask: Asked, { patient = false } = {}): Run =>
  async (here) => {
    const remote = openRemote(values, here.environment, patient);
    return ask(remote, here).catch((error) => {
      throw new Error(problemOf(error, remote), { cause: error });
    });
  };

function openRemote(values: Values, environment: Environment, patient: boolean): Remote {
  const url = ((values.url as string | undefined) ?? (environment.TENDERHALL_URL?.trim() || DEFAULT_URL)).replace(
    /\/+$/,
    "",
  );
  const key = (values.key as string | undefined) ?? (environment.TENDERHALL_KEY?.trim() || DEFAULT_KEY);
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new Error(`${url} is not an http or https address`);
  const as: Remote["as"] = (who) => openClient({ url, retries: patient ? PATIENT : IMPATIENT, ...who });
  return { url, client: as({ key }), as };
}

/** As `422 body/value: This field is required.`, a line for each entry. */
export function problemOf(error: unknown, { url }: Remote): string {
  if (!(error instanceof TenderhallError)) return (error as Error).message;
  const { status, errors, cause, message } = error;
  if (status === 0) return `${url} does not answer: ${reasonOf(cause as Error)}`;
  const told = errors.map(({ location, name, description }) => {
    const what = typeof description === "string" ? description : JSON.stringify(description);
    return `${status} ${location}/${name}: ${what}`;
  });
  return told.join("\n") || `${url}: ${message}`;
}

function reasonOf(error: Error): string {
  const cause = error.cause as { readonly code?: string; readonly message?: string } | undefined;
  return cause?.code ?? cause?.message ?? error.message;
}
