/** Parses DOCUMENTS_URL, the location of documents in S3: `s3://bucket/prefix?endpoint=...&region=...`. */

export type Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
};

export type S3Location = {
  readonly endpoint: URL;
  readonly region: string;
  readonly bucket: string;
  /** Without slashes at its ends; empty for the root of the bucket. */
  readonly prefix: string;
  /** Whether the bucket is the first segment of the path instead of part of the host name. */
  readonly pathStyle: boolean;
  /** Whether downloads are redirected to S3 with a signed URL. */
  readonly redirects: boolean;
  /** A function, so that printing the settings never shows the secrets. */
  readonly credentials: () => Credentials;
};

type Environment = { readonly [name: string]: string | undefined };

const QUERY = ["endpoint", "region", "pathStyle", "download"];
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/;
const REGION = /^[a-z0-9-]+$/;

/** The location, or `undefined` if documents are on disk. Adds what is wrong to `problems`; the location is then not usable. */
export function parseDocumentsUrl(text: string, environment: Environment, problems: string[]): S3Location | undefined {
  if (text === "") return undefined;
  const reportProblem = (problem: string) => void problems.push(`DOCUMENTS_URL ${problem}`);
  const url = URL.parse(text);
  // Problems do not repeat the URL, since it may contain a secret by mistake.
  if (url?.protocol !== "s3:")
    return reportProblem("must be s3://bucket/prefix?endpoint=...&region=..., or empty for DATA_DIR");
  if (url.username || url.password || url.hash)
    return reportProblem(
      "must have neither user nor fragment: set the credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
  const location = locationOf(url, reportProblem);
  return { ...location, credentials: credentialsOf(environment, problems) };
}

function locationOf(url: URL, reportProblem: (problem: string) => void): Omit<S3Location, "credentials"> {
  const query = url.searchParams;
  for (const name of new Set(query.keys()))
    if (!QUERY.includes(name)) reportProblem(`has an unknown parameter "${name}"`);
  const choice = (name: string, fallback: string, alternative: string): string => {
    const value = query.get(name) ?? fallback;
    if (value !== fallback && value !== alternative)
      reportProblem(`must have ${name}=${fallback} or ${name}=${alternative}`);
    return value;
  };
  const bucket = url.hostname;
  if (!BUCKET.test(bucket) || url.port)
    reportProblem("must name a bucket of 3 to 63 lower-case letters, digits, dots and hyphens");
  const prefix = url.pathname.replace(/^\/+|\/+$/g, "");
  if (prefix && !PREFIX.test(prefix)) reportProblem("must have a prefix of letters, digits, dots, hyphens and slashes");
  const customEndpoint = query.get("endpoint");
  const region = query.get("region") ?? (customEndpoint ? "us-east-1" : "");
  if (!REGION.test(region)) reportProblem("must have a region, for example &region=eu-central-1");
  const endpoint = endpointOf(customEndpoint ?? `https://s3.${region || "us-east-1"}.amazonaws.com`);
  if (!endpoint) reportProblem("must have an endpoint that is an http or https URL without user, path and query");
  return {
    endpoint: endpoint ?? new URL("http://localhost"),
    region,
    bucket,
    prefix,
    pathStyle: choice("pathStyle", customEndpoint ? "true" : "false", customEndpoint ? "false" : "true") === "true",
    redirects: choice("download", "stream", "redirect") === "redirect",
  };
}

function endpointOf(text: string): URL | undefined {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  return url && url.href === `${url.origin}/` ? url : undefined;
}

function credentialsOf(environment: Environment, problems: string[]): () => Credentials {
  const read = (name: string): string => environment[name]?.trim() ?? "";
  const readRequired = (name: string): string => {
    if (read(name) === "") problems.push(`${name} must be set if DOCUMENTS_URL is`);
    return read(name);
  };
  const credentials = {
    accessKeyId: readRequired("AWS_ACCESS_KEY_ID"),
    secretAccessKey: readRequired("AWS_SECRET_ACCESS_KEY"),
    sessionToken: read("AWS_SESSION_TOKEN") || undefined,
  };
  return () => credentials;
}
