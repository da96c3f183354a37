import { tenderBody } from "../bodies.ts";
import type { ServerProcess } from "../children.ts";
import { FILE_BYTES, FORM_TYPE, formBody } from "../fileBody.ts";
import type { Load } from "../load.ts";
import { type BenchRequest, fetchData, type PublishedTender, publish, TENDERS } from "../requests.ts";
import { type BenchRow, type Contestant, loadOf, type RowContext, type RowPlan, underLoad } from "../rows.ts";

const TRANSFERS_AT_ONCE = 4;
const SPREAD = 100;
const COPY = "plain copy";

const uploadTo = ({ id, token }: PublishedTender, body: Buffer): BenchRequest => ({
  method: "POST",
  path: `${TENDERS}/${id}/documents?acc_token=${token}`,
  body,
  type: FORM_TYPE,
});

async function prepareUpload(stage: RowContext): Promise<BenchRow> {
  const body = formBody();
  return {
    unit: "MB/s",
    compared:
      "10 MiB as a form, hashed, on disk and recorded in one of 100 tenders before it is answered, 4 at once; plain copy: " +
      "the body piped to a file, fsync",
    contestants: await compareWithPlainCopy(stage, {
      plain: { method: "POST", path: "/", body },
      requestsFor: async (url) => (await publish(url, SPREAD, tenderBody())).map((made) => uploadTo(made, body)),
    }),
  };
}

async function prepareDownload(stage: RowContext): Promise<BenchRow> {
  return {
    unit: "MB/s",
    compared: "10 MiB of a document, 4 at once; plain copy: a file piped to the answer",
    contestants: await compareWithPlainCopy(stage, {
      plain: { method: "GET", path: "/" },
      requestsFor: async (url) => {
        const [made] = await publish(url, 1, tenderBody());
        const document = await fetchData<{ url: string }>(url, uploadTo(made!, formBody()), 201);
        const { pathname, search } = new URL(document.url);
        return [{ method: "GET", path: pathname + search }];
      },
    }),
  };
}

type Transfers = {
  readonly plain: BenchRequest;
  readonly requestsFor: (url: string) => Promise<readonly BenchRequest[]>;
};

/** Documents are on disk with either engine, so SQLite represents both. */
async function compareWithPlainCopy(
  { servers }: RowContext,
  { plain, requestsFor }: Transfers,
): Promise<readonly Contestant[]> {
  const transferring = (
    name: string,
    child: ServerProcess,
    requests: readonly BenchRequest[],
    against?: string,
  ): Contestant => {
    const load: Load = { ...loadOf(child.url, requests, TRANSFERS_AT_ONCE), includesInFlight: true };
    return underLoad(name, child, load, against ? { against } : {}, (perSecond) => (perSecond * FILE_BYTES) / 1e6);
  };
  const copy = await servers.plainCopy();
  const contestants = [transferring(COPY, copy, [plain])];
  for (const name of servers.products.filter((which) => which.startsWith("sqlite"))) {
    const child = await servers.product(name);
    contestants.push(transferring(name, child, await requestsFor(child.url), COPY));
  }
  return contestants;
}

export const DOCUMENTS: readonly RowPlan[] = [
  { name: "upload of 10 MiB", prepare: prepareUpload },
  { name: "download of 10 MiB", prepare: prepareDownload },
];
