import { addressWith, LISTEN_SECONDS, SAMPLE_FILE, type SampleRequest } from "./sampleRequest.ts";

const escapeSingleQuotes = (text: string): string => text.replaceAll("'", String.raw`'\''`);

export function curlSample(request: SampleRequest): string {
  const { method, needsKey, key, takesFile, isStream, body } = request;
  const address = addressWith(request, (variable) => `$${variable}`);
  const json = body && JSON.stringify(body, null, 2);
  return [
    isStream ? `curl -sN --max-time ${LISTEN_SECONDS}` : "curl -s",
    ...(method === "GET" || (method === "POST" && (json || takesFile)) ? [] : [`-X ${method}`]),
    ...(needsKey ? [`-u ${key || "$KEY"}:`] : []),
    ...(takesFile ? [`-F file=@${SAMPLE_FILE}`] : []),
    `"${address}"`,
    ...(json ? [`\\\n  -H 'Content-Type: application/json' -d '${escapeSingleQuotes(json)}'`] : []),
  ].join(" ");
}
