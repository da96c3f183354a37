import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AUCTION_START, driveAuction } from "../../../test/support/auctions.ts";
import { MINUTE, openZone, SECOND } from "../values/time.ts";
import { auditFileName, renderAudit } from "./audit.ts";
import { renderYaml, yamlMapping, yamlNumber, yamlText } from "./yaml.ts";

const zone = openZone("Europe/Kyiv");

describe("the audit of an auction", () => {
  const auction = driveAuction(undefined, { rounds: 1 });
  auction.place(5 * MINUTE, "dear", "450.5");
  const [from, until] = [AUCTION_START + 7 * MINUTE, AUCTION_START + 7 * MINUTE + 30 * SECOND];
  auction.send(8 * MINUTE, { kind: "report interruption", from, until });
  auction.goTo(60 * MINUTE);

  it("has the initial prices, every turn with time, amount and bidder, and the results", () => {
    assert.equal(
      renderAudit(auction.state(), zone),
      `id: "${"a".repeat(32)}"
currency: "UAH"
minimal_step: 10
timeline:
  auction_start:
    time: "2026-11-17T11:00:00+02:00"
    initial_bids:
      - bidder: "dear"
        label: "Bidder 1"
        amount: 500
        coefficient: "1"
        date: "1970-01-01T03:00:00.000002+03:00"
      - bidder: "cheap"
        label: "Bidder 2"
        amount: 480
        coefficient: "1"
        date: "1970-01-01T03:00:00.000001+03:00"
  round_1:
    turn_1:
      time: "2026-11-17T11:05:00+02:00"
      end: "2026-11-17T11:07:00+02:00"
      bidder: "dear"
      label: "Bidder 1"
      amount: 450.5
      date: "2026-11-17T11:05:00+02:00"
      new_price: true
    turn_2:
      time: "2026-11-17T11:07:00+02:00"
      end: "2026-11-17T11:07:30+02:00"
      bidder: "cheap"
      label: "Bidder 2"
      interrupted: true
    turn_3:
      time: "2026-11-17T11:07:30+02:00"
      end: "2026-11-17T11:09:30+02:00"
      bidder: "cheap"
      label: "Bidder 2"
      amount: 480
      date: "1970-01-01T03:00:00.000001+03:00"
      new_price: false
  results:
    time: "2026-11-17T11:11:30+02:00"
    bids:
      - place: 1
        bidder: "dear"
        label: "Bidder 1"
        amount: 450.5
        coefficient: "1"
        date: "2026-11-17T11:05:00+02:00"
      - place: 2
        bidder: "cheap"
        label: "Bidder 2"
        amount: 480
        coefficient: "1"
        date: "1970-01-01T03:00:00.000001+03:00"
`,
    );
    assert.equal(auditFileName("x_y"), "audit_x_y.yaml");
  });

  it("has the names once they are public", () => {
    assert.doesNotMatch(renderAudit(auction.state(), zone), /name:/);
    const names = [
      { bid: "cheap", name: 'ТОВ "Дешево": #1' },
      { bid: "dear", name: "yes" },
    ];
    auction.send(60 * MINUTE, { kind: "disclose names", names });
    const text = renderAudit(auction.state(), zone);
    assert.match(text, /\n {8}name: "ТОВ \\"Дешево\\": #1"\n/);
    assert.match(text, /\n {8}name: "yes"\n/);
  });
});

describe("YAML", () => {
  it("quotes every text and escapes what would end a line or is not printable", () => {
    const hostile = "a\nb: \u0085\u2028\u2029\u007f\ufeff\u0000\ud800'\"\\ - # 😀";
    assert.equal(
      yamlText(hostile).scalar,
      '"a\\nb: \\u0085\\u2028\\u2029\\u007f\\ufeff\\u0000\\ud800\'\\"\\\\ - # 😀"',
    );
  });

  it("nests mappings and lists, and writes empty ones inline", () => {
    const node = yamlMapping({
      none: [],
      absent: undefined,
      empty: yamlMapping({}),
      list: [yamlNumber("1"), yamlMapping({ a: yamlText("x"), b: [yamlNumber("2")] }), [yamlNumber("3")]],
    });
    assert.equal(
      renderYaml(node),
      ["none: []", "empty: {}", "list:", "  - 1", '  - a: "x"', "    b:", "      - 2", "  - - 3", ""].join("\n"),
    );
  });
});
