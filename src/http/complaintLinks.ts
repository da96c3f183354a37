import type { Complaint } from "../domain/tender.ts";
import { withLinks } from "./documents.ts";

/** A complaint with the addresses of its documents. */
export const complaintLinked = (complaint: Complaint, contested: string): unknown => ({
  ...complaint,
  documents: withLinks(complaint.documents, `${contested}/complaints/${complaint.id}`),
});
