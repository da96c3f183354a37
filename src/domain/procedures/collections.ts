import type { TenderCommand } from "../model/commands.ts";
import type { ObjectName } from "../model/refusals.ts";
import type { Procedure } from "./procedure.ts";

/** The parts of a tender that not every procedure has. */
export const OPTIONAL_COLLECTIONS = ["lots", "questions", "bids", "auction", "complaints", "award complaints"] as const;
export type OptionalCollection = (typeof OPTIONAL_COLLECTIONS)[number];

/** Whether tenders of the procedure have this collection. What they do not have is not found. */
export function hasCollection(procedure: Procedure, collection: OptionalCollection): boolean {
  const { complaints } = procedure;
  if (collection === "complaints") return complaints.tender !== undefined;
  if (collection === "award complaints") return complaints.award !== undefined;
  return procedure[collection] !== undefined;
}

/** The object that the command is about, if tenders of the procedure have no such objects. */
export function absentObjectOf(procedure: Procedure, command: TenderCommand): ObjectName | undefined {
  const target = targetOf(command);
  return target && !hasCollection(procedure, target.collection) ? target.objectName : undefined;
}

type Target = { readonly collection: OptionalCollection; readonly objectName: ObjectName };

function targetOf(command: TenderCommand): Target | undefined {
  switch (command.kind) {
    case "ask question":
    case "answer question":
      return { collection: "questions", objectName: "question" };
    case "place bid":
    case "change bid":
    case "withdraw bid":
    case "replace link":
      return { collection: "bids", objectName: "bid" };
    case "report auction":
    case "set auction urls":
    case "finish auction":
      return { collection: "auction", objectName: "tender" };
    case "add lot":
    case "edit lot":
    case "remove lot":
      return { collection: "lots", objectName: "lot" };
    case "file complaint":
    case "edit complaint":
      return {
        collection: command.about.award === undefined ? "complaints" : "award complaints",
        objectName: "complaint",
      };
    default:
      return undefined;
  }
}
