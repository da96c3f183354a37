import assert from "node:assert/strict";

/** An alert rule of deploy/. */
export type Alert = {
  readonly alert: string;
  readonly expr: string;
  readonly for: string | undefined;
  readonly severity: string;
  readonly summary: string;
};

const ALERT = new RegExp(
  [
    /^ {6}- alert: (?<alert>\w+)\n/,
    / {8}expr: >-\n(?<expr>(?: {10}\S.*\n)+)/,
    /(?: {8}for: (?<for>\d+[smhd])\n)?/,
    / {8}labels:\n {10}severity: (?<severity>\w+)\n/,
    / {8}annotations:\n {10}summary: (?<summary>".*")\n/,
  ]
    .map(({ source }) => source)
    .join(""),
  "y",
);

/** Parses the file of alert rules. Supports only the YAML that it uses, and fails on any other line. */
export function readAlerts(text: string): readonly Alert[] {
  const [head, rules] = text.split(/^ {4}rules:\n/m) as [string, string];
  assert.match(head, /^(#.*\n)*groups:\n {2}- name: \w+\n$/);
  const alerts: Alert[] = [];
  // The pattern is sticky, so that no text between two rules is skipped.
  for (let rest = rules; rest !== ""; ) {
    ALERT.lastIndex = 0;
    const { groups } = ALERT.exec(rest) ?? assert.fail(`not a rule:\n${rest.slice(0, 400)}`);
    const { alert, expr, severity, summary } = groups as { readonly [name: string]: string };
    alerts.push({
      alert: alert!,
      expr: expr!.trim().replaceAll(/\n\s*/g, " "),
      for: groups!.for,
      severity: severity!,
      summary: JSON.parse(summary!),
    });
    rest = rest.slice(ALERT.lastIndex);
  }
  return alerts;
}
