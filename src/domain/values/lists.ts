/**
 * Maps a list, and returns the list itself if every element stays the same object. What did not change can then be recognised without
 * comparing it, so a change costs what it touches.
 */
export function mapChanged<Element>(list: readonly Element[], map: (element: Element) => Element): readonly Element[] {
  const mapped = list.map(map);
  return mapped.every((element, i) => element === list[i]) ? list : mapped;
}
