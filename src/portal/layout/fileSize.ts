import { formatDecimalPlaces } from "./formats.ts";
import type { Language } from "./languages.ts";
import { messagesIn } from "./messages/messages.ts";

const UNITS = ["bytes", "kilobytes", "megabytes", "gigabytes"] as const;

/** The size of a file in the largest unit of which it has at least one. A kilobyte has 1,000 bytes. */
export function fileSizeText(bytes: number, language: Language): string {
  const exponent = UNITS.findLastIndex((_, i) => bytes >= 1000 ** i);
  const unit = UNITS[exponent] ?? "bytes";
  const count = formatDecimalPlaces(bytes / 1000 ** Math.max(exponent, 0), 1, language);
  return messagesIn(language).layout.fileSizes[unit](count);
}
