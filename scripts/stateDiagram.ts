// Draws a state diagram: boxes and labelled arrows, laid out so that no labels overlap.

type Point = readonly [x: number, y: number];
/** A rectangle; `x` and `y` are its top left corner. All lengths are in pixels. */
export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
/** A text of several lines. `anchor` is the side on which its lines align. */
export type Label = Box & { readonly lines: readonly string[]; readonly anchor: "start" | "end" };
/** A laid out diagram. */
export type Drawing = {
  readonly frame: Box;
  /** A note stands below the name, in the same box. */
  readonly statuses: readonly (Box & { readonly name: string; readonly ends: boolean; readonly note?: string })[];
  readonly arrows: readonly (readonly Point[])[];
  readonly labels: readonly Label[];
};

/** A transition between two statuses, and its reason. */
export type Transition = { readonly from: string; readonly to: string; readonly why: string };

/** All transitions from one status to another are one arrow. */
type Arrow = { readonly from: string; readonly to: string; readonly lines: readonly string[] };

const BOX = { width: 190, height: 44 };
const LINE = 16;
/** An upper bound for the average width of a letter in usual fonts of this size. */
const LETTER = 7.6;
const LABEL_LETTERS = 18;
const SPACE = 14;
/** How far a name and its note stand from the middle of their box. */
const NOTE_SHIFT = 9;
/** How far from the middle of its box a lane leaves or arrives, so that it does not lie on an arrow to an exit. */
const PORT = 12;

const widthOf = (lines: readonly string[]) => LETTER * Math.max(0, ...lines.map((line) => line.length));

function wrap(text: string, letters = LABEL_LETTERS): readonly string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length <= letters) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.filter((line) => line !== "");
}

function arrowsOf(transitions: readonly Transition[]): readonly Arrow[] {
  const groups = Map.groupBy(transitions, ({ from, to }) => JSON.stringify([from, to]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const reasons = [...new Set(group.map(({ why }) => why))];
    return first ? [{ from: first.from, to: first.to, lines: wrap(reasons.join(" / ")) }] : [];
  });
}

/** A transition that is possible from many statuses. It is shown as a label below the box of its target. */
export type CommonTransition = { readonly to: string; readonly why: string };

/**
 * Lays out a diagram. Statuses form a column in their order. Of the final statuses the first ends the column; the next two,
 * the exits, are boxes on its left and right.
 */
export function layOutDrawing(
  statuses: readonly string[],
  transitions: readonly Transition[],
  common: readonly CommonTransition[] = [],
): Drawing {
  const arrows = arrowsOf(transitions);
  const ends = statuses.filter((status) => !transitions.some(({ from }) => from === status));
  const exits = ends.slice(1, 3);
  const middle = statuses.filter((status) => !exits.includes(status));
  const rowOf = (status: string) => middle.indexOf(status);
  const down = arrows.filter(({ from, to }) => rowOf(to) === rowOf(from) + 1);
  const jumps = arrows.filter((arrow) => !exits.includes(arrow.to) && !down.includes(arrow));
  const ahead = jumps.filter(({ from, to }) => rowOf(to) > rowOf(from));
  const back = jumps.filter((arrow) => !ahead.includes(arrow));
  const grid = gridOf(middle, arrows, [...down, ...ahead]);

  const downLabels = Math.max(0, ...down.map((arrow) => widthOf(arrow.lines)));
  const right = layOutLanes(ahead, grid, 1, Math.max(BOX.width / 2, downLabels + SPACE) + SPACE);
  const left = layOutLanes(back, grid, -1, BOX.width / 2 + SPACE);
  const parts = [
    downwardSteps(down, grid),
    right,
    left,
    ...exits.map((exit, i) =>
      layOutExit(exit, arrows, grid, i === 0 ? -1 : 1, i === 0 ? left.reach : right.reach, middle),
    ),
    START,
  ];
  const column = middle.map((name) => ({ ...boxAt(0, grid.yOf(name)), name, ends: ends.includes(name) }));
  const all = [...column, ...parts.flatMap((part) => part.statuses ?? [])];
  return withFrame({
    statuses: all,
    arrows: parts.flatMap((part) => part.arrows),
    labels: [...parts.flatMap((part) => part.labels), ...all.flatMap((box) => labelsBelowBox(box, common))],
  });
}

/** The label with common transitions, as wide as the box above it. */
function labelsBelowBox(
  { name, x, y, width, height }: Box & { readonly name: string },
  common: readonly CommonTransition[],
): Label[] {
  const whys = common.filter(({ to }) => to === name).map(({ why }) => why);
  if (whys.length === 0) return [];
  const lines = whys.flatMap((why) => wrap(why, Math.floor(width / LETTER)));
  return [labelAt(x, y + height + SPACE / 2 + (lines.length * LINE) / 2, lines, 1)];
}

type Grid = {
  readonly rowOf: (status: string) => number;
  readonly yOf: (status: string) => number;
  /** The y of the label of an arrow: between its source and the next row in its direction. */
  readonly yOfLabel: (arrow: Arrow) => number;
};

/** Places the rows as far apart as the labels between them need. */
function gridOf(middle: readonly string[], arrows: readonly Arrow[], downwards: readonly Arrow[]): Grid {
  const rowOf = (status: string) => middle.indexOf(status);
  const gapOf = (arrow: Arrow) => rowOf(arrow.from) - (downwards.includes(arrow) || arrow.from === arrow.to ? 0 : 1);
  const ys = [0];
  for (const gap of middle.keys()) {
    const lines = Math.max(1, ...arrows.filter((arrow) => gapOf(arrow) === gap).map((arrow) => arrow.lines.length));
    ys.push(ys[gap]! + BOX.height + lines * LINE + 2 * SPACE);
  }
  const yOf = (status: string) => ys[rowOf(status)]!;
  const yOfLabel = (arrow: Arrow) =>
    arrow.from === arrow.to
      ? yOf(arrow.from) + (BOX.height + arrow.lines.length * LINE) / 2
      : (ys[gapOf(arrow)]! + ys[gapOf(arrow) + 1]!) / 2;
  return { rowOf, yOf, yOfLabel };
}

type Part = Partial<Pick<Drawing, "statuses">> & Pick<Drawing, "arrows" | "labels">;

const boxAt = (x: number, y: number, width = BOX.width, height = BOX.height): Box => ({
  x: x - width / 2,
  y: y - height / 2,
  width,
  height,
});

/** A label that starts at `x`, or ends there if `side` is left (-1), with its middle at `y`. */
function labelAt(x: number, y: number, lines: readonly string[], side: 1 | -1): Label {
  const [width, height] = [widthOf(lines), lines.length * LINE];
  return { x: side > 0 ? x : x - width, y: y - height / 2, width, height, lines, anchor: side > 0 ? "start" : "end" };
}

const START: Part = {
  arrows: [
    [
      [0, -BOX.height / 2 - 2 * SPACE],
      [0, -BOX.height / 2],
    ],
  ],
  labels: [],
};

function downwardSteps(arrows: readonly Arrow[], { yOf, yOfLabel }: Grid): Part {
  const half = BOX.height / 2;
  return {
    arrows: arrows.map(({ from, to }): Point[] => [
      [0, yOf(from) + half],
      [0, yOf(to) - half],
    ]),
    labels: arrows.map((arrow) => labelAt(SPACE / 2, yOfLabel(arrow), arrow.lines, 1)),
  };
}

/**
 * Lays out the arrows that skip rows, in lanes beside the column. A lane is as wide as its labels, which are placed between
 * the rows, where no arrow crosses them. Returns how far the lanes reach.
 */
function layOutLanes(
  jumps: readonly Arrow[],
  { rowOf, yOf, yOfLabel }: Grid,
  side: 1 | -1,
  startX: number,
): Part & { readonly reach: number } {
  const lanes: Arrow[][] = [];
  const spanOf = ({ from, to }: Arrow) => {
    const [a, b] = [rowOf(from), rowOf(to)];
    return { top: Math.min(a, b), bottom: a === b ? a + 1 : Math.max(a, b) };
  };
  // Arrows to the same status can share a lane, except one from the status to itself, whose label would overlap.
  const canMerge = (a: Arrow, b: Arrow) => a.to === b.to && a.from !== a.to && b.from !== b.to;
  const overlap = (a: Arrow, b: Arrow) =>
    !canMerge(a, b) && spanOf(a).top < spanOf(b).bottom && spanOf(b).top < spanOf(a).bottom;
  for (const jump of jumps) {
    const free = lanes.find((lane) => !lane.some((arrow) => overlap(jump, arrow)));
    if (free) free.push(jump);
    else lanes.push([jump]);
  }
  let reach = startX;
  const part: { arrows: Point[][]; labels: Label[] } = { arrows: [], labels: [] };
  for (const lane of lanes) {
    const x = side * reach;
    for (const jump of lane) {
      const [out, into] = [yOf(jump.from) + PORT, yOf(jump.to) - PORT];
      const edge = (side * BOX.width) / 2;
      part.arrows.push([
        [edge, out],
        [x, out],
        [x, into],
        [edge, into],
      ]);
      part.labels.push(labelAt(x + (side * SPACE) / 2, yOfLabel(jump), jump.lines, side));
    }
    reach += Math.max(...lane.map((jump) => widthOf(jump.lines))) + 2 * SPACE;
  }
  return { ...part, reach };
}

/** An exit: a box as tall as all the statuses that lead to it, so that every arrow is a straight line. */
function layOutExit(
  name: string,
  all: readonly Arrow[],
  { yOf }: Grid,
  side: 1 | -1,
  startX: number,
  middle: readonly string[],
): Part {
  const arrows = all.filter(({ to }) => to === name);
  const labels = arrows.map(({ from, lines }) =>
    labelAt(side * (startX + SPACE), yOf(from) - SPACE / 2 - (lines.length * LINE) / 2, lines, side),
  );
  const width = widthOf([name]) + 3 * SPACE;
  const edge = startX + Math.max(0, ...labels.map((label) => label.width)) + 3 * SPACE;
  const ys = arrows.length > 0 ? arrows.map(({ from }) => yOf(from)) : [yOf(middle.at(-1)!)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const box = boxAt(side * (edge + width / 2), (top + bottom) / 2, width, bottom - top + BOX.height);
  return {
    statuses: [{ ...box, name, ends: true }],
    arrows: arrows.map(({ from }): Point[] => [
      [(side * BOX.width) / 2, yOf(from)],
      [side * edge, yOf(from)],
    ]),
    labels,
  };
}

function withFrame(drawing: Omit<Drawing, "frame">): Drawing {
  const boxes = [...drawing.statuses, ...drawing.labels];
  const points = [
    ...boxes.flatMap(({ x, y, width, height }): Point[] => [
      [x, y],
      [x + width, y + height],
    ]),
    ...drawing.arrows.flat(),
  ];
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs) - 2 * SPACE, Math.min(...ys) - 2 * SPACE];
  const frame = { x, y, width: Math.max(...xs) + 2 * SPACE - x, height: Math.max(...ys) + 2 * SPACE - y };
  return { ...drawing, frame };
}

const STYLE = `
  svg { color-scheme: light dark; --card: #f3f1ea; --ink: #1b2321; --quiet: #55605c; --end: #e3efeb; }
  @media (prefers-color-scheme: dark) {
    svg { --card: #232b28; --ink: #e7ece9; --quiet: #a5b1ac; --end: #1f3731; }
  }
  .status { fill: var(--card); stroke: var(--quiet); }
  .end { fill: var(--end); stroke-width: 2; }
  .arrow { fill: none; stroke: var(--quiet); stroke-width: 1.5; stroke-linejoin: round; }
  .head { fill: var(--quiet); }
  text { fill: var(--ink); font: 13px system-ui, sans-serif; }
  .name { font-weight: 600; text-anchor: middle; dominant-baseline: central; }
  .note { fill: var(--quiet); font-size: 12px; text-anchor: middle; dominant-baseline: central; }
`;

const ENTITIES: { readonly [character: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escapeXml = (text: string) => text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);
const sizeAttributes = ({ x, y, width, height }: Box) =>
  `x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"`;
const round = (length: number) => Math.round(length * 10) / 10;

function boxTextsOf({ name, note, x, y, width, height }: Drawing["statuses"][number]): readonly string[] {
  const centre = { x: round(x + width / 2), y: round(y + height / 2) };
  if (!note) return [`<text class="name" x="${centre.x}" y="${centre.y}">${escapeXml(name)}</text>`];
  return [
    `<text class="name" x="${centre.x}" y="${centre.y - NOTE_SHIFT}">${escapeXml(name)}</text>`,
    `<text class="note" x="${centre.x}" y="${centre.y + NOTE_SHIFT}">${escapeXml(note)}</text>`,
  ];
}

/** The diagram as an SVG file. `title` describes it for screen readers. */
export function renderSvg(title: string, { frame, statuses, arrows, labels }: Drawing): string {
  const viewBox = [frame.x, frame.y, frame.width, frame.height].map(round).join(" ");
  const lineOf = (label: Label) => (text: string, i: number) =>
    `<text x="${round(label.anchor === "end" ? label.x + label.width : label.x)}" y="${round(label.y + (i + 0.75) * LINE)}" text-anchor="${label.anchor}">${escapeXml(text)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" width="${round(frame.width)}" height="${round(frame.height)}" role="img" aria-labelledby="title">`,
    `<title id="title">${escapeXml(title)}</title>`,
    `<style>${STYLE}</style>`,
    '<marker id="head" viewBox="0 0 10 10" refX="10" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0 10 5 0 10z"/></marker>',
    ...arrows.map(
      (points) =>
        `<path class="arrow" marker-end="url(#head)" d="M${points.map((point) => point.map(round).join(" ")).join(" ")}"/>`,
    ),
    ...statuses.flatMap((status) => [
      `<rect class="status${status.ends ? " end" : ""}" rx="8" ${sizeAttributes(status)}/>`,
      ...boxTextsOf(status),
    ]),
    ...labels.flatMap((label) => label.lines.map(lineOf(label))),
    "</svg>\n",
  ].join("\n");
}
