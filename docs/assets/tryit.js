// The console of the reference: a form for each operation, sent to this very service. What was created is remembered for
// the tab, so that the next form already knows its ids and tokens.

const place = document.querySelector("#console");
const { base, key: knownKey } = place.dataset;
const MEMORY = "tenderhall console";
const COLLECTIONS = {
  tenders: "tender_id",
  bids: "bid_id",
  bidders: "bid_id",
  awards: "award_id",
  contracts: "contract_id",
  questions: "question_id",
  documents: "document_id",
  lots: "lot_id",
  complaints: "complaint_id",
  cancellations: "cancellation_id",
  clocks: "clock_id",
  webhooks: "webhook_id",
  deliveries: "delivery_id",
};
const KNOWN_MAX = 50;

const remembered = () => JSON.parse(sessionStorage.getItem(MEMORY) ?? '{"chosen":{},"seen":{},"tokens":{}}');

// Newest first, as that is what somebody most likely goes on with. What was made or named here comes before what was
// only seen in an answer: a list shows what everybody made.
function remember(kind, param, id, token) {
  const memory = remembered();
  const before = memory[kind][param] ?? [];
  memory[kind][param] = [id, ...before.filter((one) => one !== id)].slice(0, KNOWN_MAX);
  if (token) memory.tokens[id] = token;
  sessionStorage.setItem(MEMORY, JSON.stringify(memory));
}

function idsOf(name) {
  const { chosen, seen } = remembered();
  return [...new Set([...(chosen[name] ?? []), ...(seen[name] ?? [])])];
}

// Times are written as @+60s in the examples: from now.
function withTimes(example) {
  const text = JSON.stringify({ data: example }, null, 2);
  return text.replace(/@\+(\d+)s/g, (_, seconds) => new Date(Date.now() + seconds * 1000).toISOString());
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

const field = (label, input) => element("label", {}, label, input);

function idsFor(operation, name) {
  const list = element("datalist", { id: `${operation.id}-${name}-known` });
  for (const id of idsOf(name)) list.append(element("option", { value: id }));
  return list;
}

function inputFor(operation, { name, where, required }) {
  const input = element("input", { name: `${where} ${name}`, autocomplete: "off", spellcheck: "false" });
  const known = where === "path" ? name : name === "X-Test-Clock" ? "clock_id" : undefined;
  const label = field(name, input);
  if (!known) return label;
  input.setAttribute("list", `${operation.id}-${known}-known`);
  label.append(idsFor(operation, known));
  // A tender lives on a clock only where somebody wishes it.
  if (where !== "path") return label;
  input.required = required;
  input.value = idsOf(name)[0] ?? "";
  return label;
}

const isDryRun = ({ name }) => name === "dry_run";

function dryRunBox() {
  const box = element("input", { name: "query dry_run", type: "checkbox", value: "1" });
  return element("label", { class: "check" }, box, " Dry run: the answer that it would get, and nothing stored");
}

// The deepest object on the path that a token is known of; a tender's token does for what is below it.
function tokenFor(form, operation) {
  const { tokens } = remembered();
  const ids = operation.inputs.filter(({ where }) => where === "path").map(({ name }) => valueIn(form, `path ${name}`));
  return (
    ids
      .toReversed()
      .map((id) => tokens[id])
      .find(Boolean) ?? ""
  );
}

function valueIn(form, name) {
  const input = form.elements.namedItem(name);
  return !input || (input.type === "checkbox" && !input.checked) ? "" : input.value.trim();
}

function build(holder) {
  const operation = JSON.parse(holder.dataset.operation);
  const form = element("form", { "aria-label": `Try ${operation.method} ${operation.path}` });
  const key = element("input", { name: "key", autocomplete: "off", spellcheck: "false" });
  key.value = sessionStorage.getItem(KEY) ?? knownKey;
  const token = element("input", { name: "token", autocomplete: "off", spellcheck: "false" });
  const required = operation.inputs.filter(({ where }) => where === "path");
  const optional = operation.inputs.filter((input) => input.where !== "path" && !isDryRun(input));
  const row = element("div", { class: "row" }, field("Key", key));
  if (operation.takesToken) row.append(field("Owner token", token));
  row.append(...required.map((input) => inputFor(operation, input)));
  form.append(row);
  if (operation.body) {
    const body = element("textarea", { name: "body", rows: "14", spellcheck: "false" });
    body.value = withTimes(operation.body);
    form.append(field("Body", body));
  }
  if (operation.takesFile)
    form.append(field("File (a small text if you choose none)", element("input", { name: "file", type: "file" })));
  if (optional.length > 0) {
    const inside = element("div", { class: "row" }, ...optional.map((input) => inputFor(operation, input)));
    form.append(element("details", { class: "more" }, element("summary", {}, "More"), inside));
  }
  const send = element("button", { class: "send", type: "submit", "aria-keyshortcuts": "Control+Enter" }, "Send");
  const last = element("div", { class: "sending" }, send, element("span", { class: "quiet" }, "or Ctrl+Enter"));
  if (operation.inputs.some(isDryRun)) last.append(dryRunBox());
  form.append(last);
  const answer = element("div", { class: "answer", role: "status", "aria-live": "polite" });
  holder.replaceChildren(form, answer);
  token.value = tokenFor(form, operation);
  row.addEventListener("input", ({ target }) => {
    if (target.name.startsWith("path ")) token.value = tokenFor(form, operation);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !send.disabled) form.requestSubmit();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send.disabled = true;
    void ask(operation, form, answer).finally(() => {
      send.disabled = false;
    });
  });
}

function requestOf(operation, form) {
  const query = new URLSearchParams();
  const headers = {};
  let path = operation.path;
  for (const { name, where } of operation.inputs) {
    const value = valueIn(form, `${where} ${name}`);
    if (where === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== "" && where === "query") query.set(name, value);
    else if (value !== "") headers[name] = value;
  }
  const key = valueIn(form, "key");
  if (key) headers.Authorization = `Bearer ${key}`;
  if (valueIn(form, "token")) headers["X-Access-Token"] = valueIn(form, "token");
  let body;
  if (operation.takesFile) {
    const chosen = form.elements.namedItem("file").files[0];
    body = new FormData();
    body.append("file", chosen ?? new File(["What the meals are.\n"], "terms.txt", { type: "text/plain" }));
  } else if (operation.body) {
    headers["Content-Type"] = "application/json";
    body = form.elements.namedItem("body").value;
  }
  const asked = query.size > 0 ? `?${query}` : "";
  return [`${base}${path}${asked}`, { ...OWN, method: operation.method, headers, body }];
}

// The key is sent by the form alone. Otherwise a browser answers a 401 with a login box of its own, and waits for it.
const OWN = { credentials: "omit" };
const KEY = "tenderhall key";

async function ask(operation, form, answer) {
  const key = valueIn(form, "key");
  const [address, init] = requestOf(operation, form);
  const started = performance.now();
  try {
    const response = await fetch(address, init);
    // A key that opens nothing is not offered by the next form.
    if (response.status !== 401) sessionStorage.setItem(KEY, key);
    if (response.headers.get("Content-Type")?.startsWith("text/event-stream")) return await listen(answer, response);
    const text = await response.text();
    show(answer, response, text, performance.now() - started);
    if (response.status === 403) return await offerTime(form, answer, text);
    if (!response.ok || valueIn(form, "query dry_run")) return;
    for (const { name, where } of operation.inputs)
      if (where === "path") remember("chosen", name, valueIn(form, `path ${name}`));
    learn(address, text, response.status === 201);
    learnClocks(text, valueIn(form, "header X-Test-Clock"), key);
  } catch (error) {
    answer.replaceChildren(element("p", { class: "status bad" }, `No answer: ${error.message}`));
  }
}

// A stream has no end of its own: it is shown as it comes, until somebody has seen enough.
async function listen(answer, response) {
  const started = performance.now();
  const stop = element("button", { type: "button" }, "Stop listening");
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let isOver = false;
  let heard = "";
  stop.addEventListener("click", () => {
    isOver = true;
    reader.cancel();
  });
  for (;;) {
    const { done, value } = await reader.read();
    if (value) heard = (heard + decoder.decode(value, { stream: true })).slice(-HEARD_MAX);
    show(answer, response, heard, performance.now() - started);
    if (done || isOver) return;
    answer.prepend(stop);
  }
}

const HEARD_MAX = 20_000;

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

// Indented as it came: to read the numbers and write them again would show others than were sent. Each piece is a text,
// or { href } for the address that explains a refusal.
function indented(text, isRefusal) {
  const pieces = [];
  let depth = 0;
  let name = "";
  const tokens = text.match(TOKENS) ?? [];
  const line = () => `\n${"  ".repeat(depth)}`;
  for (const [i, token] of tokens.entries()) {
    const isEmpty = /[{[]/.test(tokens[i - 1] ?? "");
    if (token === "}" || token === "]") {
      depth--;
      pieces.push(isEmpty ? token : line() + token);
    } else {
      if (isEmpty || tokens[i - 1] === ",") pieces.push(line());
      if (token === "{" || token === "[") depth++;
      if (tokens[i + 1] === ":") name = token;
      const leads = isRefusal && name === '"docs"' && tokens[i - 1] === ":" && /^"https?:/.test(token);
      pieces.push(leads ? { href: JSON.parse(token) } : token === ":" ? ": " : token);
    }
  }
  return pieces;
}

function shown(text, isRefusal) {
  if (parsed(text) === undefined) return [text];
  return indented(text, isRefusal).flatMap((piece) =>
    piece.href ? ['"', element("a", { href: piece.href }, piece.href), '"'] : [piece],
  );
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function show(answer, response, text, ms) {
  const status = element(
    "span",
    { class: `status ${response.ok ? "good" : "bad"}` },
    `${response.status} ${response.statusText}`,
  );
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  const code = (...content) =>
    element("figure", { class: "code output" }, element("pre", { tabindex: "0" }, element("code", {}, ...content)));
  answer.replaceChildren(
    element("p", {}, status, ` in ${ms.toFixed(0)} ms`),
    element("details", {}, element("summary", {}, "Headers"), code(headers)),
    code(...shown(text, !response.ok)),
  );
}

// Where only time is in the way, and the tender lives on a clock that is known here, the clock can be moved.
async function offerTime(form, answer, text) {
  const from = parsed(text)?.errors?.find(({ allowedFrom }) => allowedFrom)?.allowedFrom;
  const known = remembered().clocks?.[valueIn(form, "path tender_id")];
  if (!from) return;
  if (!known) {
    const guide = element("a", { href: `${base}/docs/guides/bidding` }, "a test clock");
    const begin = "Only time is in the way. A tender that lives on ";
    if (Date.parse(from) > Date.now()) answer.append(element("p", {}, begin, guide, " need not wait for it."));
    return;
  }
  const clock = `${base}/sandbox/clocks/${encodeURIComponent(known.clock)}`;
  const { data } = await (await fetch(clock, OWN)).json();
  if (Date.parse(data?.now) >= Date.parse(from)) return;
  const button = element(
    "button",
    { type: "button", class: "move-clock" },
    `Move the clock to ${from}, and send again`,
  );
  answer.firstElementChild.after(element("p", {}, button));
  button.addEventListener("click", async () => {
    button.disabled = true;
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${known.key}` };
    const body = JSON.stringify({ data: { to: from } });
    const moved = await fetch(`${clock}/advance`, { ...OWN, method: "POST", headers, body });
    if (moved.ok) form.requestSubmit();
    else show(answer, moved, await moved.text(), 0);
  });
}

// A tender is made on a clock, or a clock tells its tenders; only who made the clock may move it.
function learnClocks(text, clock, key) {
  const { data } = parsed(text) ?? {};
  const tenders = clock ? [data?.id] : Array.isArray(data?.tenders) ? data.tenders.map(({ id }) => id) : [];
  const memory = remembered();
  for (const id of tenders.filter(Boolean).slice(0, KNOWN_MAX))
    memory.clocks = { ...memory.clocks, [id]: { clock: clock || data.id, key } };
  sessionStorage.setItem(MEMORY, JSON.stringify(memory));
}

// Before 2.5 an award has a name of its own for it.
const idIn = (one) => one?.id ?? one?.awardID;

// An answer tells the id of what it shows, and the ids of what hangs on it. What was created here comes first.
function learn(address, text, isCreated) {
  const told = parsed(text);
  if (!told) return;
  const words = new URL(address, location.href).pathname.split("/");
  const collection = words.findLast((word) => Object.hasOwn(COLLECTIONS, word));
  const { data, access } = told;
  for (const one of [data].flat().slice(0, 20).toReversed()) {
    if (!idIn(one) || !collection) continue;
    remember(isCreated ? "chosen" : "seen", COLLECTIONS[collection], idIn(one), access?.token);
    for (const [name, param] of Object.entries(COLLECTIONS))
      if (Array.isArray(one[name]))
        for (const inner of one[name]) if (idIn(inner)) remember("seen", param, idIn(inner));
  }
}

for (const details of document.querySelectorAll(".tryit")) {
  const holder = details.querySelector("[data-operation]");
  details.addEventListener("toggle", () => details.open && build(holder));
}
