import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Readable, Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { runs } from "../../test/support/tier.ts";
import { type FormFile, readUpload } from "./multipart.ts";

type Consume = (upload: FormFile, content: Readable) => Promise<unknown>;
type Result = Awaited<ReturnType<typeof readUpload<unknown>>> | { readonly thrown: unknown };

const TYPE = "multipart/form-data; boundary=limit";
const CLOSING = "\r\n--limit--\r\n";
const readAll: Consume = (_, content) => buffer(content);

let server: Server;
let consume: Consume = readAll;
let onResult: (result: Result) => void = () => {};

before(async () => {
  server = createServer(async (request, response) => {
    const result = await readUpload(request.headers, request, consume).catch((thrown: unknown) => ({ thrown }));
    response.end("done");
    onResult(result);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

after(() => {
  server.closeAllConnections();
  server.close();
});

describe("the one file of a form", () => {
  test("reaches its consumer with its name, format and bytes", async () => {
    const upload = { title: "notice.pdf", format: "application/pdf" };
    assert.deepEqual(await send([file("notice.pdf", "content", "Application/PDF; charset=x"), CLOSING]), {
      ok: true,
      upload,
      value: Buffer.from("content"),
    });
  });

  for (const size of [0, 1, 65_536, 5_000_003]) {
    test(`of ${size} bytes arrives complete, also at a slow consumer`, async () => {
      const bytes = Buffer.alloc(size, "\r\n--limi\r\n--\r");
      const body = [file("a.bin", bytes), CLOSING];
      assert.deepEqual(consumedValue(await send(body)), bytes);
      assert.deepEqual(consumedValue(await send(body, { consume: readSlowly })), bytes);
    });
  }

  test("is consumed while it arrives, before the body is complete", async () => {
    const { socket, result } = await open({}, async (_, content) => {
      const [first] = await once(content, "data");
      socket.write(chunked(Buffer.from("second" + CLOSING)) + "0\r\n\r\n");
      return first.toString() + (await buffer(content)).toString();
    });
    socket.write(chunked(Buffer.concat([file("a.txt", "first ")])));
    assert.equal(consumedValue(await result.finally(() => socket.destroy())), "first second");
  });

  test("slows its sender down while its consumer is slow", async () => {
    let buffered = 0;
    const bytes = Buffer.alloc(20_000_000, "x");
    await send([file("a.bin", bytes), CLOSING], {
      consume: async (_, content) => {
        for await (const _chunk of content) {
          buffered = Math.max(buffered, content.readableLength);
          await new Promise(setImmediate);
        }
      },
    });
    assert.ok(buffered < 1_000_000, `${buffered} bytes were buffered`);
  });

  test("may be among other fields, which are ignored", async () => {
    const body = [
      field("title", "x"),
      field("other", "y".repeat(60_000)),
      file("a.txt", "z"),
      field("end", "w"),
      CLOSING,
    ];
    assert.equal(String(consumedValue(await send(body))), "z");
  });

  test("may come after a preamble and before an epilogue", async () => {
    const body = ["preamble", file("a.txt", "z"), CLOSING, "epilogue\r\n--limit\r\nmore"];
    assert.equal(String(consumedValue(await send(body))), "z");
  });

  for (const at of ["every byte", "every pair of bytes"]) {
    test(`arrives complete when the body is cut into chunks at ${at}`, async () => {
      const body = Buffer.concat(
        [field("f", "v"), file("ї.txt", "\r\n-\r\n--limi-"), CLOSING].map((part) => Buffer.from(part)),
      );
      const step = at === "every byte" ? 1 : 2;
      const cuts = Array.from({ length: Math.ceil(body.length / step) }, (_, n) => n * step);
      const pieces = cuts.map((from) => body.subarray(from, from + step));
      const result = await send(pieces);
      assert.deepEqual(result.ok && result.upload.title, "ї.txt");
      assert.equal(String(consumedValue(result)), "\r\n-\r\n--limi-");
    });
  }

  test("arrives complete wherever the body is cut in two", async () => {
    const body = Buffer.concat(
      [field("f", "v"), file("ї.txt", "\r\n-\r\n--limi-"), CLOSING].map((part) => Buffer.from(part)),
    );
    for (let cut = 1; cut < body.length; cut++) {
      const result = await send([body.subarray(0, cut), body.subarray(cut)]);
      assert.equal(String(consumedValue(result)), "\r\n-\r\n--limi-", `cut at ${cut}`);
    }
  });

  test("arrives complete whatever it contains and however it is cut", async () => {
    const bytes = fc.array(fc.constantFrom("\r", "\n", "-", "\r\n--limi", "\r\n--", "limit", "x"), { maxLength: 60 });
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(bytes, sizes, fc.boolean(), async (pieces, lengths, slow) => {
        const content = pieces.join("");
        fc.pre(!`\r\n${content}`.includes("\r\n--limit"));
        const body = cutInto(Buffer.concat([file("a.txt", content), Buffer.from(CLOSING)]), lengths);
        const result = await readUpload({ "content-type": TYPE }, Readable.from(body), slow ? readSlowly : readAll);
        assert.equal(String(consumedValue(result)), content);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe("a form that is refused", () => {
  const refused = (sentence: string, body: readonly (string | Buffer)[], problem: string) =>
    test(sentence, async () => assert.deepEqual(await send(body), { ok: false, problem }));

  for (const type of [
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "text/plain; boundary=limit",
    "",
    'x"',
  ]) {
    test(`has no boundary when its type is '${type}'`, async () => {
      assert.deepEqual(await send([file("a", "b"), CLOSING], { type }), { ok: false, problem: "no boundary" });
    });
  }
  test("has no boundary when the boundary is longer than any client sends", async () => {
    const type = "multipart/form-data; boundary=" + "b".repeat(300);
    assert.deepEqual(await send(["x"], { type }), { ok: false, problem: "no boundary" });
  });
  test("may quote its boundary", async () => {
    const type = 'Multipart/Form-Data; charset=utf-8; Boundary="limit"';
    assert.equal((await send([file("a", "b"), CLOSING], { type })).ok, true);
  });

  refused("has no file when it is empty but for its boundary", ["--limit--\r\n"], "no file");
  refused("has no file when it has only fields", [field("file", "x"), CLOSING], "no file");
  refused("has no file when `file` is large but has no name", [field("file", "x".repeat(500_000)), CLOSING], "no file");
  refused(
    "has no file when its file has another name",
    [file("a", "b".repeat(500_000), "a/b", "doc"), CLOSING],
    "no file",
  );
  refused("has no file when its file has an empty name", [file("", "b"), CLOSING], "no file");
  refused("has no file when nothing is left of its name", [file(" /tmp/\t\u0001 ", "b"), CLOSING], "no file");
  refused(
    "has no file when its part is not form-data",
    [part("attachment; name=file; filename=a", "b"), CLOSING],
    "no file",
  );
  refused(
    "has two files when another came before",
    [file("a", "b", "a/b", "doc"), file("c", "d"), CLOSING],
    "two files",
  );

  for (const name of ["file", "doc"]) {
    test(`has two files when one named ${name} comes after, and returns the value of the consumed one`, async () => {
      for (const content of ["b", "b".repeat(3_000_000)]) {
        const body = [file("a", content), file("c", "d".repeat(1_000_000), "a/b", name), CLOSING];
        const result = await send(body, { consume: readSlowly });
        assert.deepEqual(result, { ok: false, problem: "two files", value: Buffer.from(content) });
      }
    });
  }

  refused("is malformed when it is empty", [], "malformed");
  refused("is malformed when its boundary never comes", ["some text\r\n--other\r\n"], "malformed");
  refused("is malformed when a part header is cut by a boundary", ["--limit\r\nContent-Disp", CLOSING], "malformed");
  refused("is malformed when a part header has no end", ["--limit\r\n", "x".repeat(500_000)], "malformed");
  refused("is malformed when a quote in it is left open", [part('form-data; name="file', "x"), CLOSING], "malformed");
  refused("is malformed when its part header is too large", [file("x".repeat(20_000), "y"), CLOSING], "malformed");
  refused("is malformed when its fields are too large", [field("a", "x".repeat(70_000)), CLOSING], "malformed");
  refused("is malformed when its fields are too many", [...Array(21).fill(field("a", "x")), CLOSING], "malformed");

  test("is malformed wherever it ends before its closing boundary", async () => {
    const form = Buffer.concat([field("f", "v"), file("a.txt", "content"), Buffer.from("\r\n--limit--")]);
    for (let cut = 0; cut < form.length; cut++) {
      const result = await send([form.subarray(0, cut)]);
      assert.equal(problemOf(result), "malformed", `cut at ${cut}`);
    }
  });

  test("never hangs and never throws, whatever the bytes", async () => {
    const words = [
      "\r\n",
      "--limit",
      "--",
      "-",
      "\r\n\r\n",
      "x",
      file("a", "b").toString(),
      field("f", "v").toString(),
    ];
    const pieces = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(pieces, async (body) => {
        const result = await readUpload(
          { "content-type": TYPE },
          Readable.from(body.map((piece) => Buffer.from(piece))),
          readAll,
        );
        assert.equal(typeof result.ok, "boolean");
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("a body that is cut off", () => {
  test("makes the content fail at its consumer, and is malformed", async () => {
    let failure: unknown;
    const { socket, result } = await open({}, async (_, content) => {
      content.on("error", (error) => {
        failure = error;
      });
      return buffer(content);
    });
    socket.write(chunked(Buffer.concat([file("a.bin", "x".repeat(100_000))])), () => socket.destroy());
    assert.deepEqual(await result, { ok: false, problem: "malformed" });
    assert.match(String(failure), /cut off/);
  });

  test("is malformed wherever in the form the client disconnects", async () => {
    const form = Buffer.concat([field("f", "v"), file("a.txt", "content")]);
    for (let cut = 0; cut < form.length; cut += 9) {
      const { socket, result } = await open({ "content-length": "5000" }, readAll);
      socket.write(form.subarray(0, cut), () => socket.end());
      assert.deepEqual(await result, { ok: false, problem: "malformed" }, `cut at ${cut}`);
    }
  });

  test("returns the consumed value when the file was complete and the form was not", async () => {
    const body = [file("a.txt", "content"), "\r\n--limit\r\nContent-Disposition: form-data"];
    assert.deepEqual(await send(body), { ok: false, problem: "malformed", value: Buffer.from("content") });
  });

  test("does not hide the error of a consumer that had the complete file", async () => {
    const body = [file("a.txt", "content"), "\r\n--limit\r\nContent-Disposition: form-data"];
    const result = await send(body, {
      consume: async (_, content) => {
        await buffer(content);
        throw new Error("The disk is full");
      },
    });
    assert.match(String("thrown" in result && result.thrown), /disk is full/);
  });

  test("is malformed when it was destroyed or consumed before it is read", async () => {
    const body = Readable.from(["x"]);
    body.destroy();
    assert.deepEqual(await readUpload({ "content-type": TYPE }, body, readAll), { ok: false, problem: "malformed" });
    const read = Readable.from([Buffer.from("x")]);
    await buffer(read);
    assert.deepEqual(await readUpload({ "content-type": TYPE }, read, readAll), { ok: false, problem: "malformed" });
  });
});

describe("a consumer that stops early", () => {
  const endless = async (stopper: Consume) => {
    const { socket, result } = await open({}, stopper);
    const chunk = chunked(Buffer.alloc(60_000, "x"));
    socket.on("error", () => {});
    socket.write(chunked(Buffer.concat([file("a.bin", "first")])));
    const writing = setInterval(() => socket.write(chunk), 1);
    return result.finally(() => {
      clearInterval(writing);
      socket.destroy();
    });
  };

  test("by destroying the content does not wait for the rest", async () => {
    const result = await endless(async (_, content) => {
      for await (const _chunk of content) return "too large";
    });
    assert.equal(consumedValue(result), "too large");
  });

  test("by not reading the content does not wait for the rest", async () => {
    assert.equal(consumedValue(await endless(async () => "unread")), "unread");
  });

  test("by failing makes the reader throw its error", async () => {
    const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error("The disk is full")) });
    const result = await endless(async (_, content) => pipeline(content, full));
    assert.match(String("thrown" in result && result.thrown), /disk is full/);
  });

  test("by throwing synchronously makes the reader throw its error", async () => {
    const result = await endless(() => {
      throw new Error("No consumer");
    });
    assert.match(String("thrown" in result && result.thrown), /No consumer/);
  });

  test("leaves the connection usable for the next request", async () => {
    const { socket, result } = await open({}, async () => "unread");
    socket.write(chunked(Buffer.concat([file("a.bin", "x".repeat(2_000_000)), Buffer.from(CLOSING)])) + "0\r\n\r\n");
    assert.equal(consumedValue(await result), "unread");
    const next = expectResult(readAll);
    socket.write(head({ "content-type": TYPE, "transfer-encoding": "chunked" }));
    socket.write(chunked(Buffer.concat([file("b.bin", "next"), Buffer.from(CLOSING)])) + "0\r\n\r\n");
    assert.equal(String(consumedValue(await next)), "next");
    socket.destroy();
  });
});

describe("the name of a file", () => {
  const names: readonly (readonly [string, string, string])[] = [
    ["may be plain", "filename=a.txt", "a.txt"],
    ["may be plain with spaces", "filename=a b.txt", "a b.txt"],
    ["may be quoted", 'filename="a b.txt"', "a b.txt"],
    ["may contain the separator of parameters", 'filename="a; name=x.txt"', "a; name=x.txt"],
    ["may be in UTF-8", 'filename="укр ї.doc"', "укр ї.doc"],
    ["may be plain in UTF-8", "filename=укр.doc", "укр.doc"],
    ["may escape its quotes", 'filename="a \\"b\\".txt"', 'a "b".txt'],
    ["keeps its percents", 'filename="50%22.txt"', "50%22.txt"],
    ["may be extended", "filename*=utf-8''%D1%83%20b.doc", "у b.doc"],
    ["may be extended in another charset", "filename*=windows-1251'uk'%F3.doc", "у.doc"],
    ["is the extended one before the plain", "filename*=UTF-8''%D1%83.doc; filename=\"u.doc\"", "у.doc"],
    ["is the extended one after the plain", "filename=\"u.doc\"; filename*=UTF-8''%D1%83.doc", "у.doc"],
    [
      "is the plain one if the charset of the extended one is unknown",
      "filename*=klingon''%D1; filename=u.doc",
      "u.doc",
    ],
    ["may be in base 64 words", 'filename="=?utf-8?B?0YPQutGALmRvYw==?="', "укр.doc"],
    ["may be in base 64 with a slash", 'filename="=?utf-8?b?0L/Qvy5kb2M=?="', "пп.doc"],
    ["may be in quoted words", 'filename="=?UTF-8?q?=D1=83_=D0=BA?= =?utf-8?q?.doc?="', "у к.doc"],
    ["is unchanged if the charset of its words is unknown", 'filename="=?klingon?q?a?=.doc"', "=?klingon?q?a?=.doc"],
    ["may be in character references", 'filename="&#1091;&#x43a;&amp;&quot;.doc"', 'ук&".doc'],
    ["may be plain in character references", "filename=&#1091;&#1082;.doc", "ук.doc"],
    ["is unescaped once", 'filename="&amp;amp;.doc"', "&amp;.doc"],
    [
      "keeps an ampersand that is not a reference",
      'filename="R&D &unknown; &toString;.doc"',
      "R&D &unknown; &toString;.doc",
    ],
    ["never contains half a character", 'filename="a&#xD800;b&#1114112;.doc"', "a\ufffdb\ufffd.doc"],
    ["loses the path of Windows", 'filename="C:\\x\\y.doc"', "y.doc"],
    ["loses the escaped path of Windows", 'filename="C:\\\\x\\\\y.doc"', "y.doc"],
    ["may be in escaped bytes", 'filename="\\xd0\\xb7\\xd0\\xb2\\xd1\\x96\\xd1\\x82 1.txt"', "звіт 1.txt"],
    ["may be in escaped bytes, escaped again", 'filename="\\\\xd0\\\\xb7.txt"', "з.txt"],
    ["may be plain in escaped bytes", "filename=\\xD0\\xB7.txt", "з.txt"],
    ["is never cut at bytes that are not UTF-8", 'filename="a\\xd0.txt"', "a\\xd0.txt"],
    [
      "is never cut at a backslash of escaped bytes",
      'filename="a\\xff\\xfe\\xd0\\xb7.txt"',
      "a\\xff\\xfe\\xd0\\xb7.txt",
    ],
    ["loses the path before escaped bytes", 'filename="docs/\\xd0\\xb7.txt"', "з.txt"],
    ["loses a path hidden in escaped bytes", 'filename="..\\x2f..\\x5ca\\x00.txt"', "a.txt"],
    ["keeps a backslash of the extended form that is not a separator", "filename*=utf-8''a%5Cxd0.txt", "a\\xd0.txt"],
    ["loses an absolute path", 'filename="/etc/passwd"', "passwd"],
    ["loses a relative path", "filename=../../a", "a"],
    ["loses a path hidden in references", 'filename="..&#47;..&#92;a"', "a"],
    ["loses a path hidden in the extended form", "filename*=utf-8''..%2F..%5Ca", "a"],
    ["has its runs of spaces collapsed", 'filename="  a   b \t c.doc "', "a b c.doc"],
    ["loses control characters", 'filename="a\u0001\u007f&#0;&#10;b.doc"', "ab.doc"],
    [
      "is truncated to 1024 characters with its extension",
      `filename="${"й".repeat(2000)}.docx"`,
      `${"й".repeat(1019)}.docx`,
    ],
    ["is truncated to 1024 characters without an extension", `filename=${"a".repeat(3000)}`, "a".repeat(1024)],
    ["is not truncated within a character", `filename=${"a".repeat(1018)}😀😀.docx`, `${"a".repeat(1018)}.docx`],
  ];
  for (const [sentence, parameter, title] of names) {
    test(sentence, async () => {
      const result = await send([part(`form-data; name="file"; ${parameter}`, "content"), CLOSING]);
      assert.deepEqual(result.ok && result.upload, { title, format: "application/octet-stream" });
    });
  }

  test("is found in a header of any case and in any order of parameters", async () => {
    const odd =
      "--limit\r\ncontent-type: TEXT/Plain\r\nCONTENT-disposition: Form-Data; FileName=a;\r\n NAME=file\r\n\r\nx";
    const result = await send([odd, CLOSING]);
    assert.deepEqual(result.ok && result.upload, { title: "a", format: "text/plain" });
  });
});

describe("the format of a file", () => {
  for (const [sent, format] of [
    ["application/vnd.ms-excel", "application/vnd.ms-excel"],
    ["Image/SVG+XML ; charset=utf-8", "image/svg+xml"],
    ["nonsense", "application/octet-stream"],
    ["a/b c", "application/octet-stream"],
    ["text/<script>", "application/octet-stream"],
  ] as const) {
    test(`is '${format}' when '${sent}' is sent`, async () => {
      const result = await send([file("a", "b", sent), CLOSING]);
      assert.equal(result.ok && result.upload.format, format);
    });
  }
});

function part(disposition: string, content: string | Buffer, ...headers: string[]): Buffer {
  const lines = ["", "--limit", `Content-Disposition: ${disposition}`, ...headers, "", ""];
  return Buffer.concat([Buffer.from(lines.join("\r\n")), Buffer.from(content)]);
}

function file(title: string, content: string | Buffer, format = "application/octet-stream", name = "file"): Buffer {
  return part(`form-data; name="${name}"; filename="${title}"`, content, `Content-Type: ${format}`);
}

function field(name: string, value: string): Buffer {
  return part(`form-data; name="${name}"`, value);
}

function chunked(bytes: Buffer): string {
  return `${bytes.length.toString(16)}\r\n${bytes.toString("latin1")}\r\n`;
}

function head(headers: IncomingHttpHeaders): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return ["POST / HTTP/1.1", "host: localhost", ...lines, "", ""].join("\r\n");
}

function expectResult(consumer: Consume): Promise<Result> {
  consume = consumer;
  return new Promise((resolve) => {
    onResult = resolve;
  });
}

/** Opens a connection and sends the headers of a request. The caller then writes the body, in Latin-1. */
async function open(
  headers: IncomingHttpHeaders,
  consumer: Consume,
): Promise<{ socket: Socket; result: Promise<Result> }> {
  const result = expectResult(consumer);
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").setDefaultEncoding("latin1");
  await once(socket, "connect");
  const framing = headers["content-length"] ? {} : { "transfer-encoding": "chunked" };
  socket.write(head({ "content-type": TYPE, ...framing, ...headers }));
  socket.resume();
  return { socket, result };
}

/** Sends each piece as a chunk of its own, so that the server sees exactly these pieces. */
async function send(
  pieces: readonly (string | Buffer)[],
  options: { readonly type?: string; readonly consume?: Consume } = {},
): Promise<Exclude<Result, { thrown: unknown }> & { thrown?: unknown }> {
  const { socket, result } = await open({ "content-type": options.type ?? TYPE }, options.consume ?? readAll);
  const bytes = pieces.map((piece) => Buffer.from(piece)).filter((piece) => piece.length > 0);
  socket.write(bytes.map(chunked).join("") + "0\r\n\r\n");
  return (await result.finally(() => socket.destroy())) as Exclude<Result, { thrown: unknown }>;
}

function consumedValue(result: Result): unknown {
  assert.ok("ok" in result && result.ok, JSON.stringify(result));
  return result.value;
}

function problemOf(result: Result): string | undefined {
  return "ok" in result && !result.ok ? result.problem : undefined;
}

async function readSlowly(_: FormFile, content: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of content) {
    pieces.push(piece);
    await new Promise(setImmediate);
  }
  return Buffer.concat(pieces);
}

function cutInto(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let from = 0, i = 0; from < bytes.length; i++) {
    const length = lengths[i % lengths.length]!;
    pieces.push(bytes.subarray(from, from + length));
    from += length;
  }
  return pieces;
}
