/** A stage of a long operation, whose progress is shown. */
export type ProgressStage = { readonly step: (by: number) => void; readonly end: () => void };
/** Begins a stage of `total` units. The caller must end it. */
export type BeginProgressStage = (label: string, total: number, unit: string) => ProgressStage;
