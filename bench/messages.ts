/** What the bench and its servers tell each other over the channel between parent and child. */

/** The first word of every server. */
export type Started = { readonly url: string };

export type CannedAnswer = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
};

/** What the bare server is to answer to each method from now on; it replies with `Taken`. */
export type CannedAnswers = { readonly [method: string]: CannedAnswer };
export type Taken = { readonly taken: true };
