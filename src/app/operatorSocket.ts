import type { Config } from "../config/config.ts";
import { printTender, readTender } from "../dialects/canonicalTender.ts";
import { CURRENT_SEGMENT, type Dialect } from "../dialects/dialects.ts";
import { parseJson, UNLIMITED } from "../dialects/json.ts";
import { isPlainObject } from "../domain/values/merge.ts";
import { formatInstant, parseInstant } from "../domain/values/time.ts";
import { prettyJson } from "../http/responseBody.ts";
import type { Audit, AuditEntry } from "../ops/audit.ts";
import type { Log } from "../ops/log.ts";
import {
  type Operator,
  type OperatorFormat,
  type OperatorHandler,
  type OperatorSocket,
  openOperatorSocket,
  operatorSocketPath,
} from "../registry/operatorAccess.ts";
import { publicTender } from "../views/publicTender.ts";

/** Operator access to a running server: the socket, the format of replies, and the audit trail. */

/** Parses JSON without losing digits of numbers. */
function parseExactJson(line: string): unknown {
  const parsed = parseJson(line, UNLIMITED);
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.value;
}

/** Opens the operator socket. If that fails, the server runs without it and logs the error. */
export async function serveOperators(
  { dataDir }: Config,
  operate: OperatorHandler,
  log: Log,
): Promise<OperatorSocket | undefined> {
  const onFailure = (error: unknown) => log.error("a request of an operator failed", error);
  return openOperatorSocket({
    path: operatorSocketPath(dataDir),
    handle: operate,
    parse: parseExactJson,
    onFailure,
  }).catch((error) => {
    log.error("operators cannot reach this server by command", error);
    return undefined;
  });
}

type ReplacementFacts = { readonly reason?: string; readonly force?: boolean };

/** Records in the audit trail what operators change, also if it was refused, and when they view raw tenders with sealed bids. */
export function withAudit(operate: OperatorHandler, audit: Audit, log?: Log): OperatorHandler {
  const record = async (
    request: unknown,
    { act, outcome, ...facts }: Pick<AuditEntry, "act" | "outcome"> & ReplacementFacts,
  ) => {
    const entry: AuditEntry = { via: "command", actor: "operator", act, outcome, ...facts, ...operatorOf(request) };
    log?.info("audit", entry);
    await audit.record(entry);
  };
  return async (request) => {
    const { do: action, id, raw, reason, at, force = false } = propertiesOf(request);
    const reply = await operate(request);
    const outcome = reply.ok ? "done" : "refused";
    if (action === "replace")
      await record(request, { act: `tender replace ${id}`, outcome, reason: String(reason), force: force === true });
    if (action === "plan auction")
      await record(request, {
        act: `auction plan ${id}${at === undefined ? "" : ` --at ${at}`}`,
        outcome,
        force: force === true,
      });
    // Recorded before the reply is sent: if that fails, nothing is shown.
    if (action === "show" && raw === true) await record(request, { act: `tender show --raw ${id}`, outcome });
    return reply;
  };
}

/** The properties of a JSON value; none if it is not an object. */
const propertiesOf = (value: unknown): { readonly [name: string]: unknown } => (isPlainObject(value) ? value : {});

const NAME_LENGTH_MAX = 100;

function operatorOf(request: unknown): Partial<Operator> {
  const { user, sudoUser } = propertiesOf(propertiesOf(request).operator);
  const text = (name: unknown) =>
    typeof name === "string" && name !== "" ? name.slice(0, NAME_LENGTH_MAX) : undefined;
  return { user: text(user), sudoUser: text(sudoUser) };
}

/** The format of tenders for operators: `show` gives the public view in the newest version, `print` the stored tender. */
export function operatorFormatOf(
  { zone, sandbox, publicUrl }: Config,
  dialects: ReadonlyMap<string, Dialect>,
  url: string,
): OperatorFormat {
  const newest = dialects.get(CURRENT_SEGMENT);
  if (!newest) throw new Error("there is no API version");
  const root = `${publicUrl ?? url}/api/${newest.segment}`;
  return {
    print: ({ tender, revision }) => `{"revision": ${revision}, "tender": ${printTender(tender, zone)}}\n`,
    show: (tender, now) => {
      const view = publicTender(tender, { now, zone, sandbox });
      const json = `{"data":${newest.write("Tender", view, root)}}`;
      return `${prettyJson(json)}\n`;
    },
    read: (sent) => readTender(sent, zone),
    time: (at) => formatInstant(at, zone),
    readTime: (text) => {
      const parsed = parseInstant(text, zone);
      return typeof parsed === "number" ? parsed : undefined;
    },
  };
}
