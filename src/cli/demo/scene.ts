import { Refused, type Remote, type Seen, type Upload } from "../remote.ts";

/** One tender on a clock, and what its people do: each line of a life is one request. */

export type Owned = { readonly id: string; readonly token: string; readonly key: string };

export type Scene = {
  readonly tender: Owned;
  /** As anyone sees it. */
  readonly seen: () => Promise<Seen>;
  /** As somebody sees what is below the tender. */
  readonly look: (who: Owned, path: string) => Promise<Seen>;
  /** By the tender's owner, at a path below the tender. */
  readonly own: (method: "post" | "patch", path: string, data: unknown) => Promise<Seen>;
  readonly by: (who: Owned, method: "post" | "patch", path: string, data: unknown) => Promise<Seen>;
  /** Makes something of one's own there. */
  readonly make: (key: string, path: string, data: unknown, token?: string) => Promise<Owned>;
  readonly attach: (who: Owned, path: string, paper: Upload) => Promise<void>;
};

export async function publish(remote: Remote, clock: string, key: string, data: unknown): Promise<Scene> {
  const made = await remote.post("/tenders", data, { key, headers: { "X-Test-Clock": clock } });
  const tender: Owned = { id: made.data.id, token: made.access.token, key };
  const below = (path: string) => `/tenders/${tender.id}${path}`;
  const by: Scene["by"] = (who, method, path, sent) =>
    told(remote[method](below(path), sent, { key: who.key, token: who.token }), `${method} ${path}`);
  return {
    tender,
    seen: async () => (await remote.get(below(""), { key, token: tender.token })).data,
    look: async (who, path) => (await told(remote.get(below(path), { key: who.key }), `get ${path}`)).data,
    own: (method, path, sent) => by(tender, method, path, sent),
    by,
    make: async (maker, path, sent, token) => {
      const { data: one, access } = await told(
        remote.post(below(path), sent, { key: maker, ...(token && { token }) }),
        `post ${path}`,
      );
      return { id: one.id, token: access?.token ?? "", key: maker };
    },
    attach: async (who, path, paper) => {
      const sending = { key: who.key, token: who.token };
      await told(remote.upload(below(`${path}/documents`), paper, sending), `upload to ${path}`);
    },
  };
}

/** A refusal of one of thousands of requests says which one it was. */
const told = <Answer>(asked: Promise<Answer>, what: string): Promise<Answer> =>
  asked.catch((error) => {
    throw error instanceof Refused ? new Refused(error.status, `${what}: ${error.message}`) : error;
  });
