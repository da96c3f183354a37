/** Writes the small part of YAML that the audit of an auction needs: mappings, lists, quoted texts and numbers. */

/** A value that is written as it stands. */
export type YamlScalar = { readonly scalar: string };
export type YamlNode = YamlScalar | readonly YamlNode[] | ReadonlyMap<string, YamlNode>;

/** Characters that JSON leaves as they are and YAML does not allow, or takes for the end of a line. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * A text in double quotes. YAML reads JSON strings as they are, apart from the characters above, which are escaped. Every text is
 * quoted, so none is taken for a number, a date or a boolean.
 */
export const yamlText = (text: string): YamlScalar => ({
  scalar: JSON.stringify(text).replace(
    UNPRINTABLE,
    (character) => "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0"),
  ),
});

/** A number, exactly as it is written. */
export const yamlNumber = (digits: string): YamlScalar => ({ scalar: digits });

/** A mapping in this order. Keys are plain words. Fields that are undefined are left out. */
export const yamlMapping = (fields: { readonly [key: string]: YamlNode | undefined }): ReadonlyMap<string, YamlNode> =>
  new Map(
    Object.entries(fields).flatMap(([key, node]): [string, YamlNode][] => (node === undefined ? [] : [[key, node]])),
  );

const isList = (node: YamlNode): node is readonly YamlNode[] => Array.isArray(node);

/** The document as text, in block style. */
export const renderYaml = (node: YamlNode): string => linesOf(node).join("\n") + "\n";

function linesOf(node: YamlNode): readonly string[] {
  if (isList(node)) return node.length === 0 ? ["[]"] : node.flatMap((element) => indented(linesOf(element), "- "));
  if (!(node instanceof Map)) return "scalar" in node ? [node.scalar] : [];
  if (node.size === 0) return ["{}"];
  return [...node].flatMap(([key, value]) => linesOfEntry(key, value));
}

function linesOfEntry(key: string, value: YamlNode): readonly string[] {
  const lines = linesOf(value);
  const isInline = "scalar" in value || (isList(value) ? value.length === 0 : value.size === 0);
  return isInline ? [`${key}: ${lines.join("")}`] : [`${key}:`, ...lines.map((line) => "  " + line)];
}

const indented = (lines: readonly string[], mark: string): readonly string[] =>
  lines.map((line, i) => (i === 0 ? mark : " ".repeat(mark.length)) + line);
