/** Who is told how far a long work has come; on a terminal, a bar. */
export type ProgressStage = { readonly step: (by: number) => void; readonly end: () => void };
export type BeginProgressStage = (what: string, total: number, unit: string) => ProgressStage;
