/** Who is told how far a long work has come; on a terminal, a bar. */
export type Stage = { readonly step: (by: number) => void; readonly end: () => void };
export type BeginStage = (what: string, total: number, unit: string) => Stage;
