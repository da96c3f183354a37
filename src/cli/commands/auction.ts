import { parseOwnJson } from "../../base/ownJson.ts";
import { AUCTION_STATUSES } from "../../domain/auctions/model.ts";
import type { ListedAuctionText } from "../../registry/auctionOperations.ts";
import {
  type CliCommand,
  EXIT_FAILURE,
  resultWithMessages,
  successResult,
  textOption,
  withConfig,
} from "../command.ts";
import { sendToRegistry } from "../operatorClient.ts";
import { type AuctionOverview, formatAuction } from "../output/auctionOverview.ts";
import { formatTable } from "../output/tables.ts";

const LOCATION_NOTE =
  "The command works on the machine of the registry, with the settings of the server. A running server carries it out; without one, or " +
  "with PostgreSQL, the command opens the registry itself.";

export const auctionList: CliCommand = {
  name: "auction list",
  summary: "lists the auctions that the service plans and holds, latest start first",
  about: `At most 1000 auctions are listed. ${LOCATION_NOTE}`,
  options: { status: { takes: "STATUS", description: "only those in this status", choices: AUCTION_STATUSES } },
  examples: [["npx --no-install tenderhall auction list --status running", "Auctions in progress:"]],
  parse: (values, positionals) => {
    if (positionals.length > 0) return { usageError: "auction list takes only options" };
    const status = textOption(values, "status");
    return withConfig(async (config) => {
      const reply = await sendToRegistry(config, { do: "list auctions", status });
      if (!reply.ok) return resultWithMessages(EXIT_FAILURE, reply.problems);
      const auctions = parseOwnJson<readonly ListedAuctionText[]>(reply.text);
      if (auctions.length === 0) return successResult("There are no such auctions.\n", auctions);
      const rows = auctions.map(({ id, status: listed, start, isOnTestClock }) => [
        ...[start, listed, isOnTestClock ? "test" : "real"],
        id,
      ]);
      return successResult(formatTable(["START", "STATUS", "CLOCK", "AUCTION"], rows), auctions);
    });
  },
};

export const auctionShow: CliCommand = {
  name: "auction show",
  takes: "ID",
  summary: "shows what everyone may see of an auction: stages, prices, places",
  about: `Prices that are not published yet are visible to their bidders only, not to operators. ${LOCATION_NOTE}`,
  options: {},
  examples: [["npx --no-install tenderhall auction show 0b2e...", "By the id of its tender:"]],
  parse: (_values, [id, ...extra]) => {
    if (!id || extra.length > 0) return { usageError: "auction show takes the ID of one auction" };
    return withConfig(async (config) => {
      const reply = await sendToRegistry(config, { do: "show auction", id });
      if (!reply.ok) return resultWithMessages(EXIT_FAILURE, reply.problems);
      const view = parseOwnJson<AuctionOverview>(reply.text);
      return successResult(formatAuction(view), view);
    });
  },
};

export const auctionPlan: CliCommand = {
  name: "auction plan",
  takes: "ID",
  summary: "plans an auction again, in the next free slot or at a given time",
  about:
    "An auction that has begun is ended, its prices are discarded, and it starts again at the new time with the bids of the tender; that " +
    `needs --force. The audit trail records who did it. ${LOCATION_NOTE}`,
  options: {
    at: { takes: "TIME", description: "the start; default: the next free slot" },
    force: { description: "also if the auction has begun, which discards its prices" },
  },
  examples: [
    ["npx --no-install tenderhall auction plan 0b2e... --at 2026-11-17T11:00:00+02:00", "At a given time:"],
    ["npx --no-install tenderhall auction plan 0b2e... --force", "One that has begun, in the next free slot:"],
  ],
  parse: (values, [id, ...extra]) => {
    if (!id || extra.length > 0) return { usageError: "auction plan takes the ID of one auction" };
    const at = textOption(values, "at");
    return withConfig(async (config) => {
      const reply = await sendToRegistry(config, { do: "plan auction", id, at, force: values.force === true });
      return reply.ok
        ? successResult(reply.text, { id, result: reply.text.trimEnd() })
        : resultWithMessages(EXIT_FAILURE, reply.problems);
    });
  },
};
