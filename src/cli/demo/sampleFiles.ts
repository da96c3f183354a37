/** A document to upload. Text files are in Ukrainian; PDF files are in English, because their built-in fonts lack Cyrillic. */
export type SampleFile = { readonly name: string; readonly type: string; readonly content: string | Uint8Array };

export const textFile = (name: string, lines: readonly string[]): SampleFile => ({
  name: `${name}.txt`,
  type: "text/plain",
  content: `${lines.join("\n")}\n`,
});

export const pdfFile = (name: string, lines: readonly string[]): SampleFile => ({
  name: `${name}.pdf`,
  type: "application/pdf",
  content: renderPdf(lines),
});

const LINE_POINTS = 18;
const TOP_POINTS = 780;

/** One A4 page with a title and lines of text. */
function renderPdf(lines: readonly string[]): Uint8Array {
  const [title = "", ...rest] = lines.map(escapePdfText);
  const content = [
    `BT /F1 18 Tf 60 ${TOP_POINTS} Td (${title}) Tj ET`,
    ...rest.map((line, i) => `BT /F1 11 Tf 60 ${TOP_POINTS - 36 - i * LINE_POINTS} Td (${line}) Tj ET`),
  ].join("\n");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, i) => {
    const offset = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}`;
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(text + table + end, "latin1"));
}

const escapePdfText = (text: string): string => text.replace(/[^\x20-\x7e]/g, "?").replace(/[\\()]/g, "\\$&");
