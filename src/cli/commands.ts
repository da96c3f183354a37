import { accountAddKey, accountKeys, accountRetireKey } from "./accountKeys.ts";
import { accountAdd, accountList, accountRevoke } from "./accounts.ts";
import { backup } from "./backup.ts";
import { clockAdvance, clockNew, clockShow } from "./clocks.ts";
import { completionOf } from "./completion.ts";
import { demo } from "./demo.ts";
import { doctor } from "./doctor.ts";
import { exportLines } from "./export.ts";
import type { Group } from "./help.ts";
import { importLines } from "./import.ts";
import type { Command } from "./operated.ts";
import { restore } from "./restore.ts";
import { serve } from "./serve.ts";
import { sync } from "./sync.ts";
import { tenderReplace, tenderShow } from "./tender.ts";
import { tenderList } from "./tenderList.ts";
import { tenderWatch } from "./tenderWatch.ts";
import { verify } from "./verify.ts";

/** The table that everything is made of: help, completion, the reference, and what runs. */
export const GROUPS: readonly Group[] = [
  { title: "Run it", commands: [serve, doctor] },
  {
    title: "Accounts",
    commands: [accountAdd, accountList, accountRevoke, accountAddKey, accountKeys, accountRetireKey],
  },
  { title: "Look and follow", commands: [tenderList, tenderShow, tenderWatch, sync] },
  { title: "Sandbox", commands: [demo, clockNew, clockShow, clockAdvance] },
  { title: "Keep and repair", commands: [backup, restore, verify, exportLines, importLines, tenderReplace] },
  { title: "Shell", commands: [completionOf(() => COMMANDS)] },
];

export const COMMANDS: readonly Command[] = GROUPS.flatMap(({ commands }) => commands);
