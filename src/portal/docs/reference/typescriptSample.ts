import { clientCallOf, typescriptLiteral } from "./clientCalls.ts";
import { addressWith, LISTEN_SECONDS, SAMPLE_FILE, type SampleRequest, variablesOf } from "./sampleRequest.ts";

/** A program for Node: with the typed client where it has a method for the operation, otherwise with `fetch`. */
export function typescriptSample(request: SampleRequest): string {
  const call = clientCallOf(request);
  return call === undefined ? fetchSample(request) : clientSample(request, call);
}

/** The lines that read the variables of a sample. A missing variable is an empty text, which the service refuses. */
function variableLines(names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`const { ${names.map((name) => `${name} = ""`).join(", ")} } = process.env;`];
}

/** The variables that a call of the client needs besides those of the request, such as the link of a bidder. */
const variablesIn = (call: string): readonly string[] => call.match(/\b(?:PARTICIPATION_URL|BID_ID|TOKEN)\b/g) ?? [];

function clientSample(request: SampleRequest, call: string): string {
  const { origin, key } = request;
  const keyOption = request.needsKey ? `, key${key === "" ? ": KEY" : `: "${key}"`}` : "";
  return [
    ...(request.takesFile ? ['import { readFileSync } from "node:fs";'] : []),
    'import { openClient } from "tenderhall-client";',
    "",
    ...variableLines([...new Set([...variablesOf(request), ...variablesIn(call)])]),
    `const client = openClient({ url: "${origin}"${keyOption} });`,
    ...(request.takesFile
      ? [`const file = new File([readFileSync("${SAMPLE_FILE}")], "${SAMPLE_FILE}", { type: "text/plain" });`]
      : []),
    ...(request.isStream
      ? [`for await (const change of ${call}) console.log(change);`]
      : [`const result = await ${call};`, "console.log(result);"]),
  ].join("\n");
}

function fetchSample(request: SampleRequest): string {
  const { method, needsKey, key, body, takesFile, isStream } = request;
  const address = addressWith(request, (variable) => `\${${variable}}`);
  const quote = address.includes("$") ? "`" : '"';
  const headers = [
    ...(needsKey ? [`Authorization: ${key === "" ? `\`Bearer \${KEY}\`` : `"Bearer ${key}"`}`] : []),
    ...(body ? ['"Content-Type": "application/json"'] : []),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length > 0 ? [`  headers: { ${headers.join(", ")} },`] : []),
    ...(body ? [`  body: JSON.stringify(${typescriptLiteral(body, "  ")}),`] : []),
    ...(takesFile ? ["  body: form,"] : []),
    ...(isStream ? [`  signal: AbortSignal.timeout(${LISTEN_SECONDS}_000),`] : []),
  ];
  return [
    ...(takesFile ? ['import { readFileSync } from "node:fs";', ""] : []),
    ...variableLines(variablesOf(request)),
    ...(takesFile
      ? [
          "const form = new FormData();",
          `form.append("file", new File([readFileSync("${SAMPLE_FILE}")], "${SAMPLE_FILE}"));`,
        ]
      : []),
    options.length === 0
      ? `const response = await fetch(${quote}${address}${quote});`
      : `const response = await fetch(${quote}${address}${quote}, {\n${options.join("\n")}\n});`,
    ...(isStream
      ? ["for await (const chunk of response.body!) console.log(new TextDecoder().decode(chunk));"]
      : ["console.log(response.status, await response.text());"]),
  ].join("\n");
}
