/** What the coherence checks find, each with the sentence that is true of coherent data. */
export const COHERENCE_RULES = {
  "no-empty-values": "No text, list or object is empty.",
  "no-nulls-in-compiled": "A compiled release has no nulls.",
  "dates-have-zones": "Dates have a time and a zone.",
  "dates-are-plausible": "Dates are between 1990 and 2049.",
  "amounts-are-numbers": "Amounts are numbers.",
  "party-ids-are-texts": "The ids of parties are texts.",
  "ids-are-unique": "The ids in a list, and of the releases of a process, are unique.",
  "no-awards-while-active": "A tender that is planned or active has no awards and no contracts.",
  "no-awards-of-active-lots": "A lot that is planned or active has no awards.",
  "no-active-lots-after-end": "A tender that was cancelled or unsuccessful has no active lots.",
  "cancelled-awards-end": "A cancelled tender or lot has no pending or active award without a contract.",
  "contracts-have-active-awards": "A contract in force or pending has an active award.",
  "dates-are-in-order": "The tender period ends before an award, and the award comes before its contract is signed.",
  "bids-precede-deadline": "No bid was received after the end of the tender period.",
  "events-precede-release": "No event in a release is later than the release.",
  "tenderers-are-counted": "There are as many tenderers as numberOfTenderers says.",
  "zero-tenderers-are-certain": "numberOfTenderers is 0 only if the bids were opened and there were none.",
  "references-have-parties": "Every reference to an organisation names a party.",
  "references-have-names-of-parties": "The name in a reference is the name of the party.",
  "references-have-roles": "A party has the role of every reference to it.",
  "roles-have-references": "A party has no role without a reference.",
  "releases-share-ocid": "All releases of a process have its ocid, which their ids start with.",
  "releases-are-dated-in-order": "The releases of a process are in the order of their dates.",
  "process-starts-with-tender": "The first release of a process has the tag tender, and no other has it.",
  "titles-change-by-amendment": "The title of a tender changes only by an amendment.",
  "compiled-is-merged": "The compiled release is what its releases say together.",
} as const;
export type CoherenceRule = keyof typeof COHERENCE_RULES;

/** Something incoherent: where it is, as a JSON pointer into the release with this id, and what was found there. */
export type CoherenceFinding = {
  readonly rule: CoherenceRule;
  readonly ocid: string;
  readonly releaseID: string;
  readonly path: string;
  readonly found: string;
};

/** Reports a finding of one release. */
export type ReportFinding = (rule: CoherenceRule, path: string, found: unknown) => void;
