import type { NotePut } from "../store/store.ts";
import type { Answer } from "./answers.ts";
import { LOST_RACE } from "./answers.ts";
import type { Exchange } from "./exchange.ts";
import { currentOf, recordedAnswer } from "./once.ts";

/** Keeps these notes and, in the same commit, the answer, for whoever asks the same again. */
export async function stored(
  { service, once, isDry }: Exchange,
  puts: readonly NotePut[],
  answer: Answer,
): Promise<Answer> {
  if (isDry) return answer;
  const { notes } = service.registry;
  const now = service.clock();
  const note = once && (await notes.find(once.name));
  const earlier = once && currentOf(note, now);
  if (earlier) return once.again(earlier.text);
  const record = once ? [{ ...once.record(answer, now), before: note?.revision ?? 0 }] : [];
  if (await notes.put([...puts, ...record])) return answer;
  const meanwhile = once && (await recordedAnswer(once, notes, now));
  return meanwhile ?? LOST_RACE;
}
