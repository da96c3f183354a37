import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { readAlerts } from "./support/alertRules.ts";
import { fullTender, publish } from "./support/examples.ts";
import { missingPrograms } from "./support/programs.ts";
import { readMetrics } from "./support/prometheus.ts";
import { readPromql } from "./support/promql.ts";
import { sharedWorld } from "./support/world.ts";

/** The dashboard and the alert rules in deploy/ use only metrics that the service exposes. */

const operations = readFileSync("docs/operations.md", "utf8");
const alerts = readAlerts(readFileSync("deploy/prometheus-alerts.yml", "utf8"));

type Target = { readonly refId: string; readonly expr: string; readonly legendFormat: string };
type Panel = {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
  readonly targets?: readonly Target[];
};
const dashboard = JSON.parse(readFileSync("deploy/grafana-dashboard.json", "utf8")) as {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: string }[] };
};
const targets = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map((target) => ({ title, ...target })));
/** Fills in variables as Grafana does. */
const filled = (expression: string): string =>
  expression.replaceAll("$__rate_interval", "5m").replaceAll("$instance", ".*");

/** From the documentation: test/stories/metrics.test.ts compares its metrics with the service, a test below its labels. */
const documented = new Map(
  [...operations.matchAll(/^\| `((?:tenderhall|process|nodejs)_\w+)` \| (\w+) \|([^|]*)\|/gm)].map(
    ([, name, type, labels]) => [
      name!,
      { type: type!, labels: [...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label!) },
    ],
  ),
);

/** Labels that Prometheus or several workers add to every series. */
const ADDED = ["job", "instance", "worker"];

function familyOf(name: string) {
  const found = documented.get(name);
  if (found && found.type !== "histogram") return found;
  const [, base, suffix] = /^(.*)_(bucket|sum|count)$/.exec(name) ?? [];
  const histogram = documented.get(base ?? "");
  assert.equal(histogram?.type, "histogram", `${name} is not exposed`);
  return { ...histogram!, labels: [...histogram!.labels, ...(suffix === "bucket" ? ["le"] : [])] };
}

function check(expression: string): void {
  const { metrics, groupedBy } = readPromql(expression);
  const known = metrics.map(({ name, labels }) => {
    const all = [...ADDED, ...(name === "up" ? [] : familyOf(name).labels)];
    for (const label of labels) assert.ok(all.includes(label), `${name} has no label ${label}: ${expression}`);
    return all;
  });
  for (const label of groupedBy)
    assert.ok(
      known.some((labels) => labels.includes(label)),
      `nothing has a label ${label}: ${expression}`,
    );
  // A histogram has quantiles only with its buckets.
  if (expression.includes("histogram_quantile"))
    assert.ok(groupedBy.includes("le") && metrics.every(({ name }) => name.endsWith("_bucket")), expression);
  // Only counters have a rate.
  for (const [, name] of expression.matchAll(/\b(?:rate|increase)\(([\w:]+)/g))
    assert.notEqual(familyOf(name!).type, "gauge", expression);
}

describe("the exposed metrics", async () => {
  const world = await sharedWorld();

  it("have the labels that the documentation lists", async () => {
    await publish(world.api("2.5"), fullTender(world.clock.now));
    const { series, types } = readMetrics(await (await fetch(`${world.url}/metrics`)).text());
    const seen = new Set<string>();
    for (const { name, labels } of series) {
      const family = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, "");
      const { le: _le, ...own } = labels;
      assert.deepEqual(Object.keys(own), documented.get(family)?.labels, family);
      seen.add(family);
    }
    assert.ok(seen.has("tenderhall_build_info") && seen.has("tenderhall_requests_total"));
  });
});

describe("the dashboard", () => {
  it("shows only metrics and labels that are exposed", () => {
    assert.ok(targets.length > 25);
    for (const { expr } of targets) check(filled(expr));
    for (const { legendFormat, expr } of targets)
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        assert.ok(readPromql(filled(expr)).groupedBy.includes(label!), `${label} is grouped away: ${expr}`);
    const variables = dashboard.templating.list.map(({ name }) => name);
    for (const { query } of dashboard.templating.list.filter((variable) => variable.query.startsWith("label_values")))
      assert.ok(familyOf(/^label_values\((\w+), instance\)$/.exec(query)![1]!));
    for (const [, name] of JSON.stringify(dashboard).matchAll(/\$\{?([a-z]\w*)/g))
      assert.ok(variables.includes(name!), `there is no variable ${name}`);
  });

  it("shows no single route, which could reveal bids in sealed tenders", () => {
    for (const { expr } of targets) assert.doesNotMatch(expr, /route|bid/);
  });

  it("has panels that do not overlap, each with its own id", () => {
    const ids = dashboard.panels.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
    );
    assert.equal(new Set(cells).size, cells.length);
    for (const { gridPos } of dashboard.panels) assert.ok(gridPos.x + gridPos.w <= 24);
  });
});

describe("the alert rules", () => {
  it("use only metrics and labels that are exposed", () => {
    assert.ok(alerts.length > 10);
    for (const { expr } of alerts) check(expr);
    for (const { summary, expr } of alerts)
      for (const [, label] of summary.matchAll(/\$labels\.(\w+)/g)) {
        const { groupedBy, metrics } = readPromql(expr);
        const isThere = groupedBy.length > 0 ? groupedBy.includes(label!) : metrics.length === 1;
        assert.ok(isThere, `${label} is grouped away: ${expr}`);
      }
  });

  it("are all explained to operators, in the same order", () => {
    const explained = [...operations.matchAll(/^\| `(Tenderhall\w+)` \| (\w+) \|/gm)].map(([, name, severity]) => [
      name,
      severity,
    ]);
    assert.deepEqual(
      explained,
      alerts.map(({ alert, severity }) => [alert, severity]),
    );
  });
});

describe("promtool", { skip: missingPrograms("promtool") }, () => {
  const promtool = (args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync("promtool", args, { encoding: "utf8" });
    assert.equal(status, 0, stdout + stderr);
  };

  it("accepts the alert rules and the dashboard's queries", (t) => {
    promtool(["check", "rules", "deploy/prometheus-alerts.yml"]);
    const folder = mkdtempSync(join(tmpdir(), "tenderhall-promtool-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const rules = targets.map(({ expr }, i) => ({ record: `panel:${i}`, expr: filled(expr) }));
    // JSON is YAML too.
    writeFileSync(join(folder, "panels.yml"), JSON.stringify({ groups: [{ name: "panels", rules }] }));
    promtool(["check", "rules", join(folder, "panels.yml")]);
  });
});

describe("the check of a PromQL expression", () => {
  it("rejects metrics and labels that are not exposed, and invalid PromQL", () => {
    for (const wrong of [
      "tenderhall_request_total",
      'tenderhall_requests_total{code="500"}',
      "sum by (code) (tenderhall_requests_total)",
      "rate(tenderhall_streams_open[5m])",
      "histogram_quantile(0.9, sum(rate(tenderhall_store_seconds_bucket[5m])))",
      "sum(tenderhall_streams_open",
      "summ(tenderhall_streams_open)",
      "tenderhall_streams_open ? 1",
    ])
      assert.throws(() => check(wrong), assert.AssertionError, wrong);
  });
});
