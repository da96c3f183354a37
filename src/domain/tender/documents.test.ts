import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMIN, AUCTION, BOT, OTHERS, OWNER, type Scene, STRANGER, windowIn } from "../../../test/support/decisions.ts";
import {
  addCancellation,
  addDocument,
  DEADLINE,
  editDocument,
  file,
  NOBODY,
  replaceDocument,
  START,
  TENDERING,
} from "../../../test/support/domainCommands.ts";
import { plain, published, qualifying, SCENES, STATUSES, tendering } from "../../../test/support/scenes.ts";
import { ACCOUNT_GROUPS } from "../model/actors.ts";
import type { TenderCommand } from "../model/commands.ts";
import { problem } from "../model/refusals.ts";
import { DAY, MINUTE } from "../values/time.ts";
import { documentsOfParent, latestVersion, latestVersions, mayUploadAnywhere, previousVersions } from "./documents.ts";

const unread = problem(["colour"], "Rogue field", "unknown-field", "shape");
const NOT_AUTHOR = "not the author";

describe("the versions of documents", () => {
  const scene = published().send(OWNER, addDocument());
  const first = scene.id;
  const second = scene.send(OWNER, addDocument()).later(MINUTE);
  const replaced = second.send(OWNER, replaceDocument(first));
  const { documents } = replaced.tender;

  it("are all there in the order in which they came", () => {
    assert.deepEqual(
      documents.map(({ id, dateModified }) => [id, dateModified]),
      [
        [first, START],
        [second.id, START],
        [first, START + MINUTE],
      ],
    );
  });

  it("are shown by the latest, in the order of the first upload", () => {
    assert.deepEqual(latestVersions(documents), [documents[2], documents[1]]);
    assert.equal(latestVersion(documents, first), documents[2]);
    assert.equal(latestVersion(documents, NOBODY), undefined);
    assert.deepEqual(previousVersions(documents, documents[2]!), [documents[0]]);
    assert.deepEqual(previousVersions(documents, documents[1]!), []);
  });
});

describe("a document", () => {
  const scene = published().later(MINUTE).send(OWNER, addDocument());

  it("is added with its file, a date, and the role of its author", () => {
    assert.deepEqual(scene.tender.documents, [
      {
        ...{ ...file, id: scene.id, author: "tender_owner", documentOf: "tender" },
        ...{ datePublished: START + MINUTE, dateModified: START + MINUTE },
      },
    ]);
  });

  it("is replaced by a new version, which keeps its id, its first date and omitted fields", () => {
    const fields = { url: "u", title: "Друга.txt", format: "text/plain" };
    const described = scene.send(OWNER, editDocument(scene.id));
    const { tender } = described.later(MINUTE).send(OWNER, replaceDocument(scene.id, {}, fields));
    const [before, version] = tender.documents;
    assert.deepEqual(version, { ...before, title: "Друга.txt", dateModified: START + 2 * MINUTE });
    assert.equal(version!.description, "Опис");
  });

  it("has the metadata of its latest version edited, without a new date", () => {
    const two = scene.send(OWNER, replaceDocument(scene.id)).later(MINUTE);
    const [first, latest] = two.tender.documents;
    const { documents } = two.send(OWNER, editDocument(scene.id)).tender;
    assert.deepEqual(documents, [first, { ...latest, description: "Опис" }]);
  });

  it("is refused for every problem of its metadata", () => {
    const sent = { fields: { title: null }, problems: [unread] };
    const edit: TenderCommand = { kind: "edit document", of: {}, document: scene.id, sent };
    assert.equal(scene.outcome(OWNER, edit), "colour: Rogue field; title: This field is required.");
    const metadata = { fields: {}, problems: [unread] };
    for (const command of [addDocument(), replaceDocument(scene.id)])
      assert.match(
        scene.outcome(OWNER, { ...command, registration: metadata } as TenderCommand),
        /^colour: Rogue field; title: .*; url: [^;]*$/,
      );
  });

  it("that is not there is neither replaced nor edited", () => {
    for (const command of [replaceDocument(NOBODY), editDocument(NOBODY)]) {
      assert.equal(scene.outcome(OWNER, command), "not found: document");
      assert.equal(scene.outcome({}, command), "forbidden", "the right comes first");
    }
  });
});

describe("the documents of a tender", () => {
  const scene = published();

  it("are added by the owner, bots and admins in enquiries; each replaces and edits his own", () => {
    const roles = { tender_owner: OWNER, bots: BOT, admins: ADMIN };
    for (const [author, actor] of Object.entries(roles)) {
      const added = scene.send(actor, addDocument());
      assert.equal(added.tender.documents[0]!.author, author);
      for (const [other, by] of Object.entries(roles))
        for (const command of [replaceDocument(added.id), editDocument(added.id)])
          assert.equal(added.outcome(by, command), author === other ? "ok" : NOT_AUTHOR);
    }
  });

  it("are added by nobody else", () => {
    for (const actor of OTHERS.filter((other) => other !== BOT && other !== AUCTION))
      assert.equal(scene.outcome(actor, addDocument()), "forbidden");
  });

  for (const status of STATUSES) {
    const isOpen = status === "draft" || status === "active.enquiries";
    it(`are ${isOpen ? "" : "not "}added by the owner in ${status}`, () => {
      const expected = isOpen ? "ok" : `Can't add document in current (${status}) tender status`;
      for (const actor of [OWNER, BOT, ADMIN]) assert.equal(SCENES[status]().outcome(actor, addDocument()), expected);
    });
    const isAuctions = ["active.auction", "active.qualification", "active.awarded"].includes(status);
    it(`are ${isAuctions ? "" : "not "}added by the auction in ${status}`, () => {
      const expected = isAuctions ? "ok" : `Can't add document in current (${status}) tender status`;
      assert.equal(SCENES[status]().outcome(AUCTION, addDocument()), expected);
    });
  }

  it("are changed as long as they may be added", () => {
    const added = scene.send(OWNER, addDocument());
    const expected = "Can't update document in current (active.tendering) tender status";
    for (const command of [replaceDocument(added.id), editDocument(added.id)]) {
      assert.equal(added.at(TENDERING - 1).outcome(OWNER, command), "ok");
      assert.equal(added.at(TENDERING).outcome(OWNER, command), expected);
      assert.equal(added.at(TENDERING).outcome(ADMIN, command), expected, "the time comes before the author");
    }
  });

  it("by the auction can be changed only by the auction, and the refusal says when", () => {
    const stage = qualifying(["1", "2"]).send(AUCTION, addDocument());
    assert.equal(stage.tender.documents[0]!.author, "auction");
    assert.equal(stage.outcome(AUCTION, replaceDocument(stage.id)), "ok");
    const others = published().send(OWNER, addDocument()).tender.documents;
    assert.equal(stage.with({ documents: others }).outcome(AUCTION, replaceDocument(others[0]!.id)), NOT_AUTHOR);
    const early = tendering().refusal(AUCTION, addDocument());
    assert.deepEqual(windowIn(early), { from: DEADLINE, until: undefined });
  });

  it("could be added from when the tender was made, a draft included", () => {
    for (const late of [tendering(), qualifying()])
      assert.deepEqual(windowIn(late.refusal(OWNER, addDocument())), { from: START, until: TENDERING });
  });

  it("are added to a plain tender from enquiries to qualification", () => {
    const stages = [plain(), plain().at(TENDERING), plain().at(DEADLINE)];
    for (const stage of stages) assert.equal(stage.outcome(OWNER, addDocument()), "ok");
    const draft = plain({ status: "draft" });
    assert.equal(draft.outcome(OWNER, addDocument()), "Can't add document in current (draft) tender status");
  });
});

describe("the documents of a cancellation", () => {
  const scene = published().send(OWNER, addCancellation());
  const parent = { cancellation: scene.id };
  const added = scene.send(OWNER, addDocument(parent));

  it("are the owner's and the admins', name no author, and stand with it", () => {
    const { documents } = added.tender.cancellations[0]!;
    assert.deepEqual([documents.length, documents[0]!.author], [1, undefined]);
    assert.equal(added.tender.documents.length, 0);
    for (const actor of [OWNER, ADMIN])
      for (const command of [addDocument(parent), replaceDocument(added.id, parent), editDocument(added.id, parent)])
        assert.equal(added.outcome(actor, command), "ok");
    for (const actor of OTHERS) assert.equal(added.outcome(actor, addDocument(parent)), "forbidden");
  });

  it("are closed once the tender has ended, and the refusal says since when", () => {
    const over = added.at(DEADLINE).tick().later(DAY);
    const expected = (doing: string) => `Can't ${doing} document in current (unsuccessful) tender status`;
    assert.equal(over.outcome(OWNER, addDocument(parent)), expected("add"));
    assert.equal(over.outcome(OWNER, editDocument(added.id, parent)), expected("update"));
    assert.deepEqual(windowIn(over.refusal(OWNER, addDocument(parent))), { until: DEADLINE });
    assert.equal(added.at(TENDERING).outcome(OWNER, addDocument(parent)), "ok");
  });
});

describe("an object that cannot have documents", () => {
  it("has none", () => {
    const { tender }: Scene = published().send(OWNER, addDocument());
    assert.equal(documentsOfParent(tender, {}).length, 1);
    for (const holder of [{ bid: NOBODY }, { award: NOBODY }, { contract: NOBODY }, { cancellation: NOBODY }])
      assert.deepEqual(documentsOfParent(tender, holder), []);
    for (const holder of [{ complaint: NOBODY }, { award: NOBODY, complaint: NOBODY }])
      assert.deepEqual(documentsOfParent(tender, holder), []);
  });
});

it("anybody may have something to add a document to but those who only read or plan", () => {
  const none = ACCOUNT_GROUPS.filter((group) => !mayUploadAnywhere({ account: { name: group, group } }));
  assert.deepEqual(none, ["chronograph", "contracting", "metrics", "tests"]);
  assert.equal(mayUploadAnywhere({}), false);
  assert.equal(mayUploadAnywhere(STRANGER), true);
});
