import type { Messages } from "../uk.ts";

/** The texts around every page. */
export const LAYOUT_EN: Messages["layout"] = {
  skip: "Skip to the content",
  menu: "Sections",
  languages: "Language",
  auctions: "Auctions",
  documentation: "For developers",
  sandbox: "sandbox",
  about: "Tenderhall, a public procurement registry.",
  zone: (zone) => `Times are in the time zone ${zone}.`,
};
