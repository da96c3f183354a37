const MIB = 1024 * 1024;

/** The size of the file that the bench uploads and downloads: 10 MiB. */
export const FILE_BYTES = 10 * MIB;
/** The file. Its contents are pseudorandom, so that no disk can compress it. */
export const FILE: Buffer = Buffer.alloc(FILE_BYTES);
for (let i = 0; i < FILE_BYTES; i += 4) FILE.writeUInt32LE(Math.imul(i + 1, 2654435761) >>> 0, i);

const BOUNDARY = "tenderhall-bench-0123456789";
/** The content type of `formBody`. */
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** The file as a multipart form. */
export const formBody = (): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="drawing.bin"\r\n` +
        "Content-Type: application/octet-stream\r\n\r\n",
    ),
    FILE,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
