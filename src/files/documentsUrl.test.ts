import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inspect } from "node:util";
import { parseDocumentsUrl } from "./documentsUrl.ts";

const keys = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "hidden" };

function read(url: string, environment: { readonly [name: string]: string } = keys) {
  const problems: string[] = [];
  return { place: parseDocumentsUrl(url, environment, problems), problems };
}

describe("DOCUMENTS_URL", () => {
  it("is optional: without it documents are in the data folder, whatever else is set", () => {
    assert.deepEqual(read(""), { place: undefined, problems: [] });
  });

  it("gives bucket, prefix, endpoint and region; the credentials come from the environment", () => {
    const { place, problems } = read("s3://docs/a/b/?endpoint=http://127.0.0.1:9000&region=eu-1&download=redirect");
    assert.deepEqual(problems, []);
    const { endpoint, region, bucket, prefix, pathStyle, redirects } = place!;
    assert.deepEqual(
      [endpoint.href, region, bucket, prefix, pathStyle, redirects],
      ["http://127.0.0.1:9000/", "eu-1", "docs", "a/b", true, true],
    );
    const { accessKeyId, secretAccessKey, sessionToken } = place!.credentials();
    assert.deepEqual([accessKeyId, secretAccessKey, sessionToken], ["id", "hidden", undefined]);
    assert.equal(read("s3://docs", { ...keys, AWS_SESSION_TOKEN: "t" }).place!.credentials().sessionToken, "t");
  });

  it("without an endpoint means AWS in the given region, with the bucket in the host name", () => {
    const { place } = read("s3://docs?region=eu-central-1");
    assert.deepEqual(
      [place!.endpoint.href, place!.pathStyle, place!.prefix, place!.redirects],
      ["https://s3.eu-central-1.amazonaws.com/", false, "", false],
    );
  });

  it("never shows the secret, however the location is printed", () => {
    const { place } = read("s3://docs?region=eu-1");
    assert.ok(!(inspect(place, { depth: 9, showHidden: true }) + JSON.stringify(place)).includes("hidden"));
  });

  it("is rejected with all problems if it is wrong, without repeating what may be secret", () => {
    const wrong: { readonly [url: string]: RegExp } = {
      "/folder": /must be s3:\/\//,
      "https://docs.example": /must be s3:\/\//,
      "s3://id:hidden@docs?region=eu-1": /neither user nor fragment/,
      "s3://docs?region=eu-1#x": /neither user nor fragment/,
      "s3://D?region=eu-1": /must name a bucket/,
      "s3://docs:80?region=eu-1": /must name a bucket/,
      "s3://docs/a b?region=eu-1": /prefix/,
      "s3://docs/a//b?region=eu-1": /prefix/,
      "s3://docs": /region/,
      "s3://docs?region=eu-1&endpont=http://x": /unknown parameter "endpont"/,
      "s3://docs?endpoint=x:9000": /endpoint/,
      "s3://docs?endpoint=http://id:hidden@x": /endpoint/,
      "s3://docs?endpoint=http://x/path": /endpoint/,
      "s3://docs?region=eu-1&pathStyle=1": /pathStyle=false or pathStyle=true/,
      "s3://docs?region=eu-1&download=link": /download=stream or download=redirect/,
    };
    for (const [url, expected] of Object.entries(wrong)) {
      const { problems } = read(url);
      assert.equal(problems.length, 1, url);
      assert.match(problems[0]!, expected, url);
      assert.match(problems[0]!, /^DOCUMENTS_URL /);
      assert.ok(!problems[0]!.includes("hidden"), url);
    }
    const many = read("s3://D/a b?pathStyle=1", { AWS_ACCESS_KEY_ID: " " }).problems;
    assert.deepEqual(
      many.map((problem) => problem.split(" ")[0]),
      [...Array(4).fill("DOCUMENTS_URL"), "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
    );
  });
});
