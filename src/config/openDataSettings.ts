import { checkedOcidPrefix, checkedWebAddress } from "./settingChecks.ts";

/** The settings of open data, for the list of all settings. */
export const OPEN_DATA_SECTION = {
  title: "Open data",
  about:
    "How the registry publishes its data in the Open Contracting Data Standard. In production, `/ocds` and the bulk files are off until " +
    "OCDS_PREFIX, OCDS_PUBLISHER and OCDS_LICENSE are set. It also needs PUBLIC_URL, since the files have absolute addresses.",
  settings: [
    {
      name: "OCDS_PREFIX",
      fallback: "",
      description:
        "prefix of all open contracting ids: ocds- and the six characters that the Open Contracting Partnership gave you; never " +
        "change it; default in the sandbox: ocds-213czf",
    },
    {
      name: "OCDS_PUBLISHER",
      fallback: "",
      description: "name of the organisation that publishes the data; default in the sandbox: SITE_NAME",
    },
    { name: "OCDS_LICENSE", fallback: "", description: "address of the licence of the data" },
    {
      name: "OCDS_POLICY",
      fallback: "",
      description: "address of the publication policy: what is published, how and when; optional",
    },
  ],
};

/** How the registry publishes its data in the Open Contracting Data Standard (OCDS). */
export type OpenDataSettings = {
  /** The prefix of all open contracting ids. */
  readonly ocidPrefix: string;
  readonly publisher: string;
  /** The address of the licence. A sandbox may have none. */
  readonly license?: string;
  /** The address of the publication policy. */
  readonly policy?: string;
};

/** The prefix that the standard reserves for examples and tests. */
const TEST_OCID_PREFIX = "ocds-213czf";

/** In production, everything that a reader must know about the data has to be set before it is published. */
export function readOpenData(
  text: (name: string) => string,
  sandbox: boolean,
  problems: string[],
): OpenDataSettings | undefined {
  const ocidPrefix = checkedOcidPrefix(text("OCDS_PREFIX") || (sandbox ? TEST_OCID_PREFIX : ""), problems);
  if (!sandbox && ocidPrefix === TEST_OCID_PREFIX)
    problems.push(
      `OCDS_PREFIX ${TEST_OCID_PREFIX} is for tests only: ask the Open Contracting Partnership for your own`,
    );
  const publisher = text("OCDS_PUBLISHER") || (sandbox ? text("SITE_NAME") : "");
  const license = checkedWebAddress("OCDS_LICENSE", text("OCDS_LICENSE"), problems);
  const policy = checkedWebAddress("OCDS_POLICY", text("OCDS_POLICY"), problems);
  if (!ocidPrefix || !publisher || (!license && !sandbox)) return undefined;
  if (!sandbox && !text("PUBLIC_URL"))
    problems.push(
      "open data needs PUBLIC_URL: its files have addresses of documents and releases, which must stay valid",
    );
  return { ocidPrefix, publisher, ...(license && { license }), ...(policy && { policy }) };
}
