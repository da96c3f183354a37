/** What the bench and its servers tell each other over the channel between parent and child. */

/** The first word of every server. */
export type Started = { readonly url: string };

export type CannedAnswer = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
};

/** What the bare server is to answer to each method from now on. */
export type CannedAnswers = { readonly [method: string]: CannedAnswer };

/** Every message to a server, whatever it says, is answered with the processor time that it has used, in microseconds. */
export type Asked = { readonly answers?: CannedAnswers };
export type Used = { readonly cpuMicros: number };

export function usedSoFar(): Used {
  const { user, system } = process.cpuUsage();
  return { cpuMicros: user + system };
}
