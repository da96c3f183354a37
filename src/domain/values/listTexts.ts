/** Shorter lists are written faster than they are found. */
const ELEMENTS_MIN = 32;
/** In UTF-16 code units of all texts. */
const UNITS_MAX = 4 * 1024 * 1024;

/**
 * Returns a function that writes long lists as text and recalls the texts of those that were written last. Lists are never changed in
 * place, and a change of a tender keeps those that it does not touch. So changing the title of a tender with a thousand items does not
 * write a thousand items.
 */
export function openListTexts(): <List extends readonly unknown[]>(
  list: List,
  write: (list: List) => string,
) => string {
  const texts = new Map<readonly unknown[], string>();
  let units = 0;

  function remember(list: readonly unknown[], text: string): void {
    texts.set(list, text);
    units += text.length;
    for (const [oldest, oldText] of texts) {
      if (units <= UNITS_MAX) return;
      texts.delete(oldest);
      units -= oldText.length;
    }
  }

  return (list, write) => {
    if (list.length < ELEMENTS_MIN) return write(list);
    const known = texts.get(list);
    if (known !== undefined) return known;
    const text = write(list);
    remember(list, text);
    return text;
  };
}
