import { stripTypeScriptTypes } from "node:module";

/** A change of one operator: `text` at `offset` becomes `replacement`. */
export type Mutation = { readonly offset: number; readonly text: string; readonly replacement: string };

const REPLACEMENTS: { readonly [operator: string]: string } = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "&&": "||",
  "||": "&&",
  "+": "-",
  "-": "+",
  "+=": "-=",
  "-=": "+=",
  "!": "",
  true: "false",
  false: "true",
};

/** Longer operators come first, as `=>` must not be read as `=` and `>`. */
const TOKENS: readonly (readonly [Kind, RegExp])[] = [
  ["space", /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)/y],
  ["string", /(?:"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*')/y],
  ["number", /\d[\w.]*/y],
  ["word", /[\p{ID_Start}$_#][\p{ID_Continue}$]*/uy],
  ["operator", /(?:>>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=)/y],
  ["operator", /(?:=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.|\+\+|--|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|<<|>>|\*\*)/y],
  ["operator", /[-+*/%&|^!~<>=?:;,.@]/y],
  ["bracket", /[()[\]{}]/y],
];
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;
/** The text of a template up to its end or to the code in it. */
const TEMPLATE = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y;

type Kind = "space" | "string" | "number" | "word" | "operator" | "bracket";
type Token = { readonly kind: Kind; readonly text: string; readonly offset: number };

/** Words after which an expression begins, unlike after any other word. */
const BEFORE_EXPRESSION = new Set(
  "return typeof case in of do else void delete throw new await yield instanceof".split(" "),
);

/** Every place in a TypeScript source where one operator, negation or boolean can be changed. */
export function findMutations(source: string): readonly Mutation[] {
  // Types become spaces of the same length, so that what is left is code at the same place.
  const code = stripTypeScriptTypes(source);
  const tokens = tokensOf(code);
  return tokens.flatMap((token, i) => {
    const replacement = REPLACEMENTS[token.text];
    if (replacement === undefined || token.kind === "string") return [];
    if (!isChangeable(token, tokens[i - 1], tokens[i + 1])) return [];
    if (!source.startsWith(token.text, token.offset)) return [];
    return [{ offset: token.offset, text: token.text, replacement }];
  });
}

/** A sign in front of a number is no operator between two; a word with a point or a colon beside it is a name. */
function isChangeable({ text }: Token, before: Token | undefined, after: Token | undefined): boolean {
  if (text === "+" || text === "-") return endsExpression(before);
  if (text === "true" || text === "false") return before?.text !== "." && after?.text !== ":";
  return true;
}

const endsExpression = (token: Token | undefined): boolean =>
  token !== undefined &&
  (["number", "string"].includes(token.kind) ||
    (token.kind === "word" && !BEFORE_EXPRESSION.has(token.text)) ||
    [")", "]", "}"].includes(token.text));

/** The tokens of JavaScript, without spaces and comments; what a template embeds is code, its text is a string. */
function tokensOf(code: string): readonly Token[] {
  const tokens: Token[] = [];
  /** For each template that is open, how many braces are open in its embedded code. */
  const templates: number[] = [];
  let at = 0;
  const take = (kind: Kind, text: string) => {
    if (kind !== "space") tokens.push({ kind, text, offset: at });
    at += text.length;
  };
  const takeTemplate = () => {
    const text = matchAt(TEMPLATE, code, at) ?? fail(code, at);
    take("string", text);
    if (text.endsWith("${")) templates.push(0);
  };
  while (at < code.length) {
    const open = templates.at(-1);
    if (code[at] === "`") {
      at += 1;
      takeTemplate();
    } else if (code[at] === "}" && open === 0) {
      templates.pop();
      at += 1;
      takeTemplate();
    } else {
      if (open !== undefined && code[at] === "{") templates[templates.length - 1] = open + 1;
      if (open !== undefined && code[at] === "}") templates[templates.length - 1] = open - 1;
      const [kind, text] = nextToken(code, at, tokens.at(-1));
      take(kind, text);
    }
  }
  return tokens;
}

function nextToken(code: string, at: number, before: Token | undefined): readonly [Kind, string] {
  const space = matchAt(TOKENS[0]![1], code, at);
  if (space) return ["space", space];
  const regex = code[at] === "/" && !endsExpression(before) ? matchAt(REGEX, code, at) : undefined;
  if (regex) return ["string", regex];
  for (const [kind, pattern] of TOKENS) {
    const text = matchAt(pattern, code, at);
    if (text) return [kind, text];
  }
  return fail(code, at);
}

function matchAt(pattern: RegExp, code: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(code)?.[0];
}

function fail(code: string, at: number): never {
  throw new Error(`No token begins here: ${code.slice(at, at + 40)}`);
}
