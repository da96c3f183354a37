/** Where documents are, other than in the folder of data: `s3://bucket/prefix?endpoint=...&region=...`. */

export type Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
};

export type S3Place = {
  readonly endpoint: URL;
  readonly region: string;
  readonly bucket: string;
  /** Without slashes at its ends; empty is the bucket itself. */
  readonly prefix: string;
  /** The bucket is the first step of the path, not part of the host's name. */
  readonly pathStyle: boolean;
  /** Downloads are sent to S3 itself, by an address that is good for a moment. */
  readonly redirects: boolean;
  /** A function, so that settings which are printed never show a secret. */
  readonly credentials: () => Credentials;
};

type Environment = { readonly [name: string]: string | undefined };

const QUERY = ["endpoint", "region", "pathStyle", "download"];
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/;
const REGION = /^[a-z0-9-]+$/;

/** The place, or nothing where documents are on disk; what is wrong goes to `problems`, and is not in the place. */
export function documentsOf(text: string, environment: Environment, problems: string[]): S3Place | undefined {
  if (text === "") return undefined;
  const wrong = (what: string) => void problems.push(`DOCUMENTS_URL ${what}`);
  const url = URL.parse(text);
  // What is wrong is not repeated as a whole, since somebody may have put a secret into it.
  if (url?.protocol !== "s3:")
    return wrong("must be s3://bucket/prefix?endpoint=...&region=..., or empty for DATA_DIR");
  if (url.username || url.password || url.hash)
    return wrong("must have neither user nor fragment: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY say who asks");
  const place = placeOf(url, wrong);
  return { ...place, credentials: credentialsOf(environment, problems) };
}

function placeOf(url: URL, wrong: (what: string) => void): Omit<S3Place, "credentials"> {
  const query = url.searchParams;
  for (const name of new Set(query.keys())) if (!QUERY.includes(name)) wrong(`has an unknown part "${name}"`);
  const choice = (name: string, fallback: string, other: string): string => {
    const value = query.get(name) ?? fallback;
    if (value !== fallback && value !== other) wrong(`must have ${name}=${fallback} or ${name}=${other}`);
    return value;
  };
  const bucket = url.hostname;
  if (!BUCKET.test(bucket) || url.port) wrong("must name a bucket of 3 to 63 small letters, digits, dots and hyphens");
  const prefix = url.pathname.replace(/^\/+|\/+$/g, "");
  if (prefix && !PREFIX.test(prefix)) wrong("must have a prefix of letters, digits, dots, hyphens and slashes");
  const given = query.get("endpoint");
  const region = query.get("region") ?? (given ? "us-east-1" : "");
  if (!REGION.test(region)) wrong("must have a region, for example &region=eu-central-1");
  const endpoint = endpointOf(given ?? `https://s3.${region || "us-east-1"}.amazonaws.com`);
  if (!endpoint) wrong("must have an endpoint that is an http or https address without user, path and query");
  return {
    endpoint: endpoint ?? new URL("http://localhost"),
    region,
    bucket,
    prefix,
    pathStyle: choice("pathStyle", given ? "true" : "false", given ? "false" : "true") === "true",
    redirects: choice("download", "stream", "redirect") === "redirect",
  };
}

function endpointOf(text: string): URL | undefined {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  return url && url.href === `${url.origin}/` ? url : undefined;
}

function credentialsOf(environment: Environment, problems: string[]): () => Credentials {
  const named = (name: string): string => environment[name]?.trim() ?? "";
  const needed = (name: string): string => {
    if (named(name) === "") problems.push(`${name} must be set where DOCUMENTS_URL is`);
    return named(name);
  };
  const credentials = {
    accessKeyId: needed("AWS_ACCESS_KEY_ID"),
    secretAccessKey: needed("AWS_SECRET_ACCESS_KEY"),
    sessionToken: named("AWS_SESSION_TOKEN") || undefined,
  };
  return () => credentials;
}
