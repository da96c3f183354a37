import { type QrCode, qrCodeOf } from "./qrCode.ts";

/** The light border that readers need, in modules. */
const BORDER = 4;

/** The QR code of a text as an SVG document, black on white in any colour scheme; undefined if the text is too long. */
export function qrSvgOf(text: string): string | undefined {
  const code = qrCodeOf(text);
  return code && drawSvg(code);
}

function drawSvg(code: QrCode): string {
  const side = code.size + 2 * BORDER;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${4 * side}" height="${4 * side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${pathOf(code)}"/></svg>\n`;
}

/** A rectangle for each run of dark modules in a row. */
function pathOf({ modules, size }: QrCode): string {
  const runs: string[] = [];
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      const start = column;
      while (column < size && modules[row * size + column] === 1) column++;
      const length = column - start;
      if (length > 0) runs.push(`M${start + BORDER} ${row + BORDER}h${length}v1h-${length}z`);
    }
  return runs.join("");
}
