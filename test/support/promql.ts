import assert from "node:assert/strict";

/** The metrics and labels that a PromQL expression uses. */
export type PromqlUsage = {
  readonly metrics: readonly { readonly name: string; readonly labels: readonly string[] }[];
  /** The labels in `by (...)` and similar clauses. */
  readonly groupedBy: readonly string[];
};

const TOKEN =
  /\s+|("(?:[^"\\]|\\.)*")|(\d+(?:\.\d+)?(?:e\d+)?(?:ms|[smhdwy])?)|([a-zA-Z_:][\w:]*)|(=~|!~|!=|==|>=|<=|[-+*/%^=<>(){}[\],])/y;
const GROUPING = ["by", "without", "on", "ignoring", "group_left", "group_right"];
const OPERATORS = ["and", "or", "unless", "bool", "offset"];
const FUNCTIONS = [
  ...["sum", "max", "min", "avg", "count", "topk", "absent", "vector", "time"],
  ...["rate", "increase", "deriv", "histogram_quantile"],
];
const PAIRS: { readonly [open: string]: string } = { "(": ")", "{": "}", "[": "]" };

type Token = { readonly kind: "text" | "number" | "name" | "sign"; readonly value: string };

/** Finds the metrics and labels in a PromQL expression. Fails on syntax that it does not know. */
export function readPromql(expression: string): PromqlUsage {
  const tokens = tokensOf(expression);
  checkBrackets(tokens, expression);
  const metrics: { name: string; labels: string[] }[] = [];
  const groupedBy: string[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const { kind, value } = tokens[i]!;
    const next = tokens[i + 1]?.value;
    if (kind !== "name" || OPERATORS.includes(value)) continue;
    if (GROUPING.includes(value)) {
      assert.equal(next, "(", expression);
      const end = tokens.findIndex((token, index) => index > i && token.value === ")");
      groupedBy.push(...tokens.slice(i + 2, end).flatMap((token) => (token.kind === "name" ? token.value : [])));
      i = end;
    } else if (next === "(" || GROUPING.includes(next ?? "")) {
      assert.ok(FUNCTIONS.includes(value), `unknown function ${value}: ${expression}`);
    } else {
      const end = next === "{" ? tokens.findIndex((token, index) => index > i && token.value === "}") : i;
      metrics.push({ name: value, labels: labelsIn(tokens.slice(i + 2, end), expression) });
      i = end;
    }
  }
  assert.ok(metrics.length > 0, `no metric: ${expression}`);
  return { metrics, groupedBy };
}

function tokensOf(expression: string): readonly Token[] {
  const tokens: Token[] = [];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < expression.length; ) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(expression) ?? assert.fail(`not PromQL at ${at}: ${expression}`);
    const [, text, number, name, sign] = match;
    const value = text ?? number ?? name ?? sign;
    if (value !== undefined) tokens.push({ kind: text ? "text" : number ? "number" : name ? "name" : "sign", value });
  }
  return tokens;
}

function checkBrackets(tokens: readonly Token[], expression: string): void {
  const open: string[] = [];
  for (const { value } of tokens)
    if (value in PAIRS) open.push(PAIRS[value]!);
    else if (Object.values(PAIRS).includes(value)) assert.equal(open.pop(), value, `brackets: ${expression}`);
  assert.deepEqual(open, [], `brackets: ${expression}`);
}

function labelsIn(tokens: readonly Token[], expression: string): string[] {
  const labels: string[] = [];
  for (let i = 0; i < tokens.length; i += 4) {
    const [label, operator, text, comma] = tokens.slice(i, i + 4);
    assert.ok(
      label?.kind === "name" && /^(=|!=|=~|!~)$/.test(operator?.value ?? "") && text?.kind === "text",
      expression,
    );
    assert.ok(comma === undefined || comma.value === ",", expression);
    labels.push(label.value);
  }
  return labels;
}
