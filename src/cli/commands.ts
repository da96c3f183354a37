import type { CliCommand } from "./command.ts";
import { accountAddKey, accountKeys, accountRetireKey } from "./commands/accountKeys.ts";
import { accountAdd, accountList, accountRevoke } from "./commands/accounts.ts";
import { auctionList, auctionPlan, auctionShow } from "./commands/auction.ts";
import { auctionReplay } from "./commands/auctionReplay.ts";
import { auctionWatch } from "./commands/auctionWatch.ts";
import { backup } from "./commands/backup.ts";
import { clockAdvance, clockNew, clockShow } from "./commands/clocks.ts";
import { demo } from "./commands/demo.ts";
import { doctor } from "./commands/doctor.ts";
import { exportCommand } from "./commands/export.ts";
import { importCommand } from "./commands/import.ts";
import { ocdsCheck, ocdsExport, ocdsRebuild } from "./commands/ocds.ts";
import { restore } from "./commands/restore.ts";
import { serve } from "./commands/serve.ts";
import { sync } from "./commands/sync.ts";
import { tenderReplace, tenderShow } from "./commands/tender.ts";
import { tenderHistory } from "./commands/tenderHistory.ts";
import { tenderList } from "./commands/tenderList.ts";
import { tenderSearch } from "./commands/tenderSearch.ts";
import { tenderWatch } from "./commands/tenderWatch.ts";
import { verify } from "./commands/verify.ts";
import { completionOf } from "./completion.ts";
import type { CommandGroup } from "./help.ts";

/** All commands in the order of help and docs/commands.md. */
export const GROUPS: readonly CommandGroup[] = [
  { title: "Run a server", commands: [serve, doctor] },
  {
    title: "Accounts",
    commands: [accountAdd, accountList, accountRevoke, accountAddKey, accountKeys, accountRetireKey],
  },
  { title: "Read and follow", commands: [tenderList, tenderSearch, tenderShow, tenderHistory, tenderWatch, sync] },
  { title: "Auctions", commands: [auctionList, auctionShow, auctionWatch, auctionPlan, auctionReplay] },
  { title: "Open data", commands: [ocdsExport, ocdsCheck, ocdsRebuild] },
  { title: "Sandbox", commands: [demo, clockNew, clockShow, clockAdvance] },
  { title: "Back up and repair", commands: [backup, restore, verify, exportCommand, importCommand, tenderReplace] },
  { title: "Shell", commands: [completionOf(() => COMMANDS)] },
];

/** All commands. */
export const COMMANDS: readonly CliCommand[] = GROUPS.flatMap(({ commands }) => commands);
