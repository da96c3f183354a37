import { addressWith, LISTEN_SECONDS, SAMPLE_FILE, type SampleRequest, variablesOf } from "./sampleRequest.ts";

/** A program for Python 3 that needs nothing but its standard library. */
export function pythonSample(request: SampleRequest): string {
  const { needsKey, key, takesFile, isStream, body } = request;
  const headers = [
    ...(needsKey ? [`"Authorization": ${key === "" ? 'f"Bearer {KEY}"' : `"Bearer ${key}"`}`] : []),
    ...(body ? ['"Content-Type": "application/json"'] : []),
    ...(takesFile ? ['"Content-Type": "multipart/form-data; boundary=form-end"'] : []),
  ];
  const address = addressWith(request, (variable) => `{${variable}}`);
  const lines = [
    `    ${address.includes("{") ? "f" : ""}"${address}",`,
    ...(request.method === "GET" ? [] : [`    method="${request.method}",`]),
    ...(headers.length > 0 ? [`    headers={${headers.join(", ")}},`] : []),
    ...(body ? ["    data=json.dumps(body).encode(),"] : []),
    ...(takesFile ? ["    data=form,"] : []),
  ];
  return [
    importLine(request),
    ...variablesOf(request).map((name) => `${name} = os.environ["${name}"]`),
    "",
    ...(body ? [`body = ${pythonLiteral(body)}`] : []),
    ...(takesFile ? FORM_LINES : []),
    "request = urllib.request.Request(",
    ...lines,
    ")",
    `with urllib.request.urlopen(request${isStream ? `, timeout=${LISTEN_SECONDS}` : ""}) as response:`,
    ...(isStream
      ? ["    for line in response:", '        print(line.decode(), end="")']
      : ["    print(response.status, response.read().decode())"]),
  ].join("\n");
}

const importLine = (request: SampleRequest): string =>
  `import ${[
    ...(request.body ? ["json"] : []),
    ...(variablesOf(request).length > 0 ? ["os"] : []),
    "urllib.request",
  ].join(", ")}`;

/** The standard library has no writer of multipart forms. */
const FORM_LINES = [
  `with open("${SAMPLE_FILE}", "rb") as file:`,
  "    content = file.read()",
  `head = '--form-end\\r\\nContent-Disposition: form-data; name="file"; filename="${SAMPLE_FILE}"\\r\\n'`,
  'form = head.encode() + b"Content-Type: text/plain\\r\\n\\r\\n" + content + b"\\r\\n--form-end--\\r\\n"',
];

/** JSON with the constants of Python. Strings are written alike in both. */
function pythonLiteral(value: unknown, indent = ""): string {
  const inner = `${indent}    `;
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const [entries, [open, close]] = Array.isArray(value)
    ? [value.map((element) => pythonLiteral(element, inner)), "[]"]
    : [Object.entries(value).map(([name, field]) => `"${name}": ${pythonLiteral(field, inner)}`), "{}"];
  if (entries.length === 0) return `${open}${close}`;
  return `${open}\n${entries.map((entry) => `${inner}${entry},\n`).join("")}${indent}${close}`;
}
