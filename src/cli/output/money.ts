import type { Value } from "../../client/index.ts";
import { stripControls } from "./tables.ts";

const AMOUNTS = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 20 });

/** For example `152,500.00 UAH`; empty without an amount. */
export const moneyOf = (value: Value | undefined): string =>
  value?.amount === undefined ? "" : `${AMOUNTS.format(value.amount)} ${stripControls(value.currency ?? "")}`;
