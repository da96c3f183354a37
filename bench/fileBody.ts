/** What the bench uploads and downloads. */

const MIB = 1024 * 1024;

/** A file of 10 MiB that no disk can make smaller by much. */
export const FILE_BYTES = 10 * MIB;
export const FILE: Buffer = Buffer.alloc(FILE_BYTES);
for (let i = 0; i < FILE_BYTES; i += 4) FILE.writeUInt32LE(Math.imul(i + 1, 2654435761) >>> 0, i);

const BOUNDARY = "tenderhall-bench-0123456789";
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** The file as a form sends it. */
export const formBody = (): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="drawing.bin"\r\n` +
        "Content-Type: application/octet-stream\r\n\r\n",
    ),
    FILE,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
