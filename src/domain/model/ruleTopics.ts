/** A rule by which requests are refused. `title` states what is wrong, `text` what to do about it. */
export type Rule = { readonly title: string; readonly text: string };
/** Rules by topic and id. */
export type Topics = { readonly [topic: string]: { readonly [id: string]: Rule } };
