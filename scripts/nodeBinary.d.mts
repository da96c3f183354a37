export const NODE_MAJOR_MIN: number;
export const PLATFORM: string;
export const PACKAGES: { readonly [platform: string]: string };
export const NODE_PACKAGE: string | undefined;
export function findNode(): string | undefined;
export function explainMissingNode(): string;
