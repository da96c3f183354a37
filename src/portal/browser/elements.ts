import type { Markup } from "../markup.ts";

/** The elements of a page by id. */

/** The element with this id. Throws if the page has none. */
export function elementById(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element ${id}`);
  return element;
}

/** The input with this id, if the page has it now. */
export function inputById(id: string): HTMLInputElement | undefined {
  const element = document.getElementById(id);
  return element instanceof HTMLInputElement ? element : undefined;
}

/** Sets a text, unless it is there already: screen readers would announce it again. */
export function setText(id: string, text: string): void {
  const element = document.getElementById(id);
  if (element && element.textContent !== text) element.textContent = text;
}

/** Replaces parts of the page, each only if it has changed, and keeps the focus. */
export function openParts(initial: { readonly [id: string]: Markup }) {
  const shown = new Map(Object.entries(initial).map(([id, { markup }]) => [id, markup]));
  return (parts: { readonly [id: string]: Markup }): readonly string[] =>
    Object.entries(parts).flatMap(([id, { markup }]) => {
      if (shown.get(id) === markup) return [];
      shown.set(id, markup);
      const focused = document.activeElement?.id;
      elementById(id).innerHTML = markup;
      if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
      return [id];
    });
}
