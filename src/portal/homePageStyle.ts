import { createHash } from "node:crypto";

/** The number of bar lengths. Each is a class, because the page's policy forbids inline styles. */
export const BAR_STEPS = 20;

const BAR_LENGTHS = Array.from({ length: BAR_STEPS }, (_, i) => `.bar-${i + 1}{width:${((i + 1) * 100) / BAR_STEPS}%}`);

const BASE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #f7f6f2; --card: #fff; --ink: #1b2321; --quiet: #55605c; --line: #dad7ce;
  --accent: #0b5c4d; --on-accent: #fff; --wash: #e3efeb; --code: #f1efe8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #131716; --card: #1b211f; --ink: #e7ece9; --quiet: #a5b1ac; --line: #323b38;
    --accent: #74d4bd; --on-accent: #0b211c; --wash: #1f3731; --code: #121615;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; padding: 0 1.25rem; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
header, main, footer { max-width: 62rem; margin: 0 auto; }
header { padding: 2.5rem 0 1.5rem; }
h1 { margin: 0; font-size: clamp(2rem, 8vw, 3rem); line-height: 1.1; letter-spacing: -0.025em; }
h2 { margin: 0 0 .75rem; font-size: 1.25rem; line-height: 1.3; letter-spacing: -0.01em; }
.name { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; }
.name a { font-size: 1.125rem; font-weight: 600; }
p { margin: 0 0 .75rem; max-width: 46rem; text-wrap: pretty; }
.lead { margin: .75rem 0 0; font-size: 1.1875rem; }
.mode {
  display: inline-block; margin: 0 0 .75rem; padding: .1rem .7rem; border-radius: 1rem;
  background: var(--wash); color: var(--accent); font-size: .875rem; font-weight: 600;
}
.quiet { color: var(--quiet); font-size: .9375rem; }
a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: .08em; }
a:hover { text-decoration-thickness: .16em; }
a:focus-visible, pre:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: .2rem; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .875em; }
section { margin: 0 0 1.25rem; padding: 1.25rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--card); }
section > :last-child { margin-bottom: 0; }
.next { border: 2px solid var(--accent); }
pre {
  margin: 0 0 .75rem; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--code);
  line-height: 1.6; white-space: pre-wrap; overflow-wrap: anywhere; -webkit-user-select: all; user-select: all;
}
.go {
  display: inline-block; padding: .7rem 1.2rem; border-radius: .5rem;
  background: var(--accent); color: var(--on-accent); font-weight: 600; text-decoration: none;
}
.go:hover { text-decoration: underline; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .5rem 1rem .5rem 0; text-align: left; vertical-align: baseline; font-weight: 400; }
th:last-child, td:last-child { padding-right: 0; }
thead th { padding-top: 0; color: var(--quiet); font-size: .875rem; }
tbody tr, .changes li { border-top: 1px solid var(--line); }
.statuses td, .statuses thead th:last-child { width: 1%; text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.statuses td { font-weight: 600; }
.statuses code { color: var(--quiet); white-space: nowrap; }
.bar { display: block; height: .375rem; margin-top: .25rem; border-radius: .2rem; background: var(--line); overflow: hidden; }
.bar span { display: block; height: 100%; border-radius: .2rem; background: var(--accent); }
.versions :is(th, td):not(:last-child) { padding-right: .75rem; }
.newest { display: block; line-height: 1.2; color: var(--accent); font-size: .8125rem; font-weight: 600; }
.changes { margin: 0; padding: 0; list-style: none; }
.changes li { padding: .6rem 0; overflow: hidden; }
.changes li:first-child { border-top: 0; padding-top: 0; }
.changes li:last-child { padding-bottom: 0; }
.changes a { font-weight: 600; overflow-wrap: anywhere; }
.changes time { white-space: nowrap; }
.about { display: block; color: var(--quiet); font-size: .9375rem; }
footer { padding: .5rem 0 2.5rem; }
footer p { margin: 0; }
@media (min-width: 52rem) {
  section { padding: 1.5rem 1.75rem; }
  .columns { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 0 1.25rem; align-items: start; }
}
@media (forced-colors: active) { .bar span { forced-color-adjust: none; background: CanvasText; } }
`;

/** The style sheet of the home page. */
export const STYLE = [BASE_STYLE.replace(/\n\s*/g, "\n").trim(), ...BAR_LENGTHS].join("\n");
/** The hash by which the Content-Security-Policy of the page allows the style sheet. */
export const STYLE_HASH = `sha256-${createHash("sha256").update(STYLE).digest("base64")}`;
