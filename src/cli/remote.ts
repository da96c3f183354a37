import { type Client, openClient, TenderhallError, UnknownKeyError } from "../client/index.ts";
import type { Environment } from "../config/config.ts";
import {
  type CliContext,
  type CommandResult,
  EXIT_USAGE,
  type Options,
  type OptionValues,
  type RunCommand,
  resultWithMessages,
} from "./command.ts";
import { optionForParam } from "./filters.ts";

/** The registry over HTTP: where it is, who asks, and how what goes wrong is told to a person. */
export type RemoteRegistry = {
  readonly url: string;
  readonly client: Client;
  /** The same registry, for somebody else or in the words of another version. */
  readonly as: (identity: { readonly key: string; readonly version?: string }) => Client;
};

const URL_OPTION: Options = {
  url: { takes: "URL", means: "the server, without /api; default: TENDERHALL_URL, else http://127.0.0.1:8080" },
};

/** Of commands that write, for which a sandbox has the account `broker`. */
export const WRITE_OPTIONS: Options = {
  ...URL_OPTION,
  key: { takes: "KEY", means: "the key to ask with; default: TENDERHALL_KEY, else broker" },
};

/** Of commands that read what everybody may read. */
export const READ_OPTIONS: Options = {
  ...URL_OPTION,
  key: { takes: "KEY", means: "the key to ask with; default: TENDERHALL_KEY, else none" },
};

const DEFAULT_URL = "http://127.0.0.1:8080";
const SANDBOX_KEY = "broker";

/** Whoever runs for long waits for a server that is away for a moment; others hear soon that nobody is there. */
const PATIENT_RETRIES = { max: 6 };
const IMPATIENT_RETRIES = { maxUnanswered: 1 };

/** How often following comes back to a server that is gone: about ten seconds. */
export const FOLLOW_RETRIES = 4;

export type RemoteAction = (remote: RemoteRegistry, here: CliContext) => Promise<CommandResult>;

/** `patient`: waits for a server that is away; `reads`: asks for what is public, and so without a key where none is given. */
type RemoteOptions = { readonly patient?: boolean; readonly reads?: boolean };

/** Of a command that asks a server. */
export const withRemote =
  (values: OptionValues, action: RemoteAction, { patient = false, reads = false }: RemoteOptions = {}): RunCommand =>
  async (context) => {
    const problem = urlProblem(values);
    if (problem) return resultWithMessages(EXIT_USAGE, [problem]);
    const remote = openRemote(values, context.environment, { patient, reads });
    return action(remote, context).catch((error) => {
      const problems = optionProblems(error, values);
      if (problems.length > 0) return resultWithMessages(EXIT_USAGE, problems);
      throw new Error(describeFailure(error, remote), { cause: error });
    });
  };

/** What is wrong with --url, if it is given. */
export const urlProblem = ({ url }: OptionValues): string | undefined =>
  typeof url === "string" ? serverUrlProblem("--url", url) : undefined;

/** A registry may be below a path, but what every request adds by itself is none of it. */
function serverUrlProblem(name: string, url: string): string | undefined {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return `${name} takes an http or https address, not "${url}"`;
  const [apiPath] = /\/api(\/[^/]*)?\/*$/.exec(url) ?? [];
  return apiPath && `${name} takes the server's address, without ${apiPath}`;
}

/** Where the server refuses what options said, they were wrong: told by the names that were typed. */
export function optionProblems(error: unknown, values: OptionValues): readonly string[] {
  if (!(error instanceof TenderhallError) || !INVALID_REQUEST_STATUSES.includes(error.status)) return [];
  const problems = error.errors.flatMap(({ location, name, description, rule }) => {
    const option = optionForParam(name);
    // What a body says may be understood, and refused for how things stand.
    const isOptionAtFault = location !== "body" || rule === "bad-date";
    return values[option] === undefined || !isOptionAtFault
      ? []
      : [`--${option} ${values[option]}: ${textOf(description)}`];
  });
  return problems.length === error.errors.length ? problems : [];
}

const INVALID_REQUEST_STATUSES = [400, 404, 422];

function openRemote(values: OptionValues, environment: Environment, { patient, reads }: RemoteOptions): RemoteRegistry {
  const { TENDERHALL_URL, TENDERHALL_KEY } = environment;
  const address = (values.url as string | undefined) ?? (TENDERHALL_URL?.trim() || DEFAULT_URL);
  const problem = serverUrlProblem("TENDERHALL_URL", address);
  if (problem) throw new Error(problem);
  const url = address.replace(/\/+$/, "");
  const key = (values.key as string | undefined) ?? (TENDERHALL_KEY?.trim() || (reads ? undefined : SANDBOX_KEY));
  const retries = patient ? PATIENT_RETRIES : IMPATIENT_RETRIES;
  return {
    url,
    client: openClient({ url, retries, key }),
    as: (identity) => openClient({ url, retries, ...identity }),
  };
}

/** As `422 body/value: This field is required.`, a line for each entry. */
export function describeFailure(error: unknown, { url }: RemoteRegistry): string {
  if (!(error instanceof TenderhallError)) return (error as Error).message;
  if (error instanceof UnknownKeyError)
    return `${url} does not know the key of --key or TENDERHALL_KEY (${error.reason})`;
  const { status, errors, cause, message } = error;
  if (status === 0) return `${url} does not answer: ${reasonOf(cause as Error)}`;
  const lines = errors.map(
    ({ location, name, description }) => `${status} ${location}/${name}: ${textOf(description)}`,
  );
  return lines.join("\n") || `${url}: ${message}`;
}

const textOf = (description: unknown): string =>
  typeof description === "string" ? description : JSON.stringify(description);

function reasonOf(error: Error): string {
  const cause = error.cause as { readonly code?: string; readonly message?: string } | undefined;
  return cause?.code ?? cause?.message ?? error.message;
}
