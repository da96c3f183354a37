import { type ChartContent, type ChartText, layOutChart, type PlottedPoint } from "./chartLayout.ts";

// Writes a chart as SVG. Lines differ in colour, in dashes and in marks, so that nobody depends on colours.

const STYLE = `
  svg { color-scheme: light dark; --ink: #1b2321; --quiet: #55605c; --grid: #d9d6cc; --line0: #0b6e4f; --line1: #a8480f; --line2: #3151c4; }
  @media (prefers-color-scheme: dark) {
    svg { --ink: #e7ece9; --quiet: #a5b1ac; --grid: #3a4541; --line0: #5fd0a8; --line1: #f0a066; --line2: #9db2ff; }
  }
  text { fill: var(--ink); font: 13px system-ui, sans-serif; }
  .tick, .axis { fill: var(--quiet); }
  .grid { stroke: var(--grid); }
  .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
  .spread { stroke-width: 1; }
  .s0 { stroke: var(--line0); } .s1 { stroke: var(--line1); stroke-dasharray: 6 3; } .s2 { stroke: var(--line2); stroke-dasharray: 2 3; }
  .spread, .mark { stroke-dasharray: none; }
  .m0 { fill: var(--line0); } .m1 { fill: var(--line1); } .m2 { fill: var(--line2); }
`;

const ENTITIES: { readonly [character: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
const round = (length: number): number => Math.round(length * 10) / 10;

/** The chart as an SVG file. `description` says for screen readers what it shows. */
export function renderChart(content: ChartContent, description: string): string {
  const { frame, plot, texts, gridYs, tickXs, lines } = layOutChart(content);
  const bottom = plot.y + plot.height;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${frame.width} ${round(frame.height)}" width="${frame.width}" height="${round(frame.height)}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escapeXml(content.title)}</title>`,
    `<desc id="desc">${escapeXml(description)}</desc>`,
    `<style>${STYLE}</style>`,
    ...gridYs.map((y) => `<path class="grid" d="M${plot.x} ${round(y)}H${plot.x + plot.width}"/>`),
    ...tickXs.map((x) => `<path class="grid" d="M${round(x)} ${bottom}v4"/>`),
    ...lines.flatMap(({ points, legend }, i) => [
      `<path class="line s${i}" d="M${points.map(({ x, y }) => `${round(x)} ${round(y)}`).join("L")}"/>`,
      ...points.map(
        ({ x, lowY, highY }) => `<path class="spread s${i}" d="M${round(x)} ${round(lowY)}V${round(highY)}"/>`,
      ),
      ...points.map((point) => markAt(i, point)),
      `<path class="line s${i}" d="M${legend.x} ${legend.y + legend.height / 2}h${legend.width}"/>`,
      markAt(i, { x: legend.x + legend.width / 2, y: legend.y + legend.height / 2 }),
    ]),
    ...texts.map(renderText),
    "</svg>\n",
  ].join("\n");
}

function renderText({ x, y, width, height, text, anchor, role }: ChartText): string {
  const anchorX = { start: x, middle: x + width / 2, end: x + width }[anchor];
  return `<text class="${role}" x="${round(anchorX)}" y="${round(y + height * 0.75)}" text-anchor="${anchor}">${escapeXml(text)}</text>`;
}

const MARKS: readonly ((x: number, y: number) => string)[] = [
  (x, y) => `M${round(x - 4)} ${round(y)}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z`,
  (x, y) => `M${round(x - 4)} ${round(y - 4)}h8v8h-8z`,
  (x, y) => `M${round(x - 5)} ${round(y + 4)}h10l-5 -9z`,
];

/** The mark of a line: a circle, a square or a triangle. */
const markAt = (line: number, { x, y }: Pick<PlottedPoint, "x" | "y">): string =>
  `<path class="mark m${line}" d="${MARKS[line % MARKS.length]!(x, y)}"/>`;
