import { errorCode, errorMessage } from "../base/errors.ts";
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
  textOption,
} from "./command.ts";
import { optionForParam } from "./filters.ts";

/** A registry that a command uses over HTTP. */
export type RemoteRegistry = {
  readonly url: string;
  readonly client: Client;
  /** A client of the same registry with another key or API version. */
  readonly as: (identity: { readonly key: string; readonly version?: string }) => Client;
};

/** The option of commands that connect to a server. */
export const URL_OPTION: Options = {
  url: {
    takes: "URL",
    description: "the URL of the server, without /api; default: TENDERHALL_URL or http://127.0.0.1:8080",
  },
};

/** The options of commands that write. The default key is that of the sandbox account `broker`. */
export const WRITE_OPTIONS: Options = {
  ...URL_OPTION,
  key: { takes: "KEY", description: "the API key; default: TENDERHALL_KEY or broker" },
};

/** The options of commands that read public data. */
export const READ_OPTIONS: Options = {
  ...URL_OPTION,
  key: { takes: "KEY", description: "the API key; default: TENDERHALL_KEY or none" },
};

const DEFAULT_URL = "http://127.0.0.1:8080";
const SANDBOX_KEY = "broker";

/** Long-running commands wait for a server that restarts; others report soon that nothing answers. */
const PATIENT_RETRIES = { max: 6 };
const IMPATIENT_RETRIES = { maxUnanswered: 1 };

/** The retries of commands that follow the feed: they give up after about ten seconds. */
export const FOLLOW_RETRIES = 4;

/** The part of a command that uses a registry over HTTP. */
export type RemoteAction = (remote: RemoteRegistry, context: CliContext) => Promise<CommandResult>;

type RemoteOptions = {
  /** Waits for a server that restarts. */
  readonly patient?: boolean;
  /** Reads public data, so that no key is sent by default. */
  readonly reads?: boolean;
};

/** Runs a command with a client of the registry at --url, and describes its errors for people. */
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

/** What is wrong with --url, or undefined. */
export const urlProblem = ({ url }: OptionValues): string | undefined =>
  typeof url === "string" ? serverUrlProblem("--url", url) : undefined;

/** A registry can be served below a path, but `/api/...` is what the client adds. */
function serverUrlProblem(name: string, url: string): string | undefined {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return `${name} takes an http or https address, not "${url}"`;
  const [apiPath] = /\/api(\/[^/]*)?\/*$/.exec(url) ?? [];
  return apiPath && `${name} takes the address of the server, without ${apiPath}`;
}

/** The refusals of the server that concern options, by the names of the options; none if anything else was refused. */
export function optionProblems(error: unknown, values: OptionValues): readonly string[] {
  if (!(error instanceof TenderhallError) || !INVALID_REQUEST_STATUSES.includes(error.status)) return [];
  const problems = error.errors.flatMap(({ location, name, description, rule }) => {
    const option = optionForParam(name);
    // A valid value in the body can be refused because of the state of the registry; that is no usage error.
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
  const address = textOption(values, "url") ?? (TENDERHALL_URL?.trim() || DEFAULT_URL);
  const problem = serverUrlProblem("TENDERHALL_URL", address);
  if (problem) throw new Error(problem);
  const url = address.replace(/\/+$/, "");
  const key = textOption(values, "key") ?? (TENDERHALL_KEY?.trim() || (reads ? undefined : SANDBOX_KEY));
  const retries = patient ? PATIENT_RETRIES : IMPATIENT_RETRIES;
  return {
    url,
    client: openClient({ url, retries, key }),
    as: (identity) => openClient({ url, retries, ...identity }),
  };
}

/** Describes an error in lines such as `422 body/value: This field is required.` */
export function describeFailure(error: unknown, { url }: RemoteRegistry): string {
  if (!(error instanceof TenderhallError)) return errorMessage(error);
  if (error instanceof UnknownKeyError)
    return `${url} does not know the key of --key or TENDERHALL_KEY (${error.reason})`;
  const { status, errors, cause, message } = error;
  if (status === 0) return `${url} does not respond: ${reasonOf(cause)}`;
  const lines = errors.map(
    ({ location, name, description }) => `${status} ${location}/${name}: ${textOf(description)}`,
  );
  return lines.join("\n") || `${url}: ${message}`;
}

const textOf = (description: unknown): string =>
  typeof description === "string" ? description : JSON.stringify(description);

/** Node's `fetch` has the reason in `cause`. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return errorCode(cause) ?? errorMessage(cause ?? error);
}
