import type { Messages } from "../uk.ts";

/** The texts around every page. */
export const LAYOUT_EN: Messages["layout"] = {
  skip: "Skip to the content",
  menu: "Sections",
  languages: "Language",
  breadcrumbs: "You are here",
  tenders: "Tenders",
  auctions: "Auctions",
  calendar: "Calendar",
  statistics: "Statistics",
  documentation: "For developers",
  sandbox: "sandbox",
  searchLabel: "Search tenders",
  searchButton: "Search",
  footer: "About this site",
  aboutSite: "About the registry",
  accessibility: "Accessibility",
  privacy: "Privacy",
  status: "Service status",
  openData: "Open data",
  zone: (zone) => `Times are in the time zone ${zone}.`,
  software: "Runs on Tenderhall, free software under the MIT licence.",
  operator: (name) => `Operated by ${name}.`,
  contact: (link) => `Contact: ${link}`,
  pages: "Pages",
  previousPage: "Previous page",
  nextPage: "Next page",
  pageNumber: (page) => `Page ${page}`,
  problem: "There is a problem",
  important: "Important",
  fileSizes: {
    bytes: (count) => `${count} B`,
    kilobytes: (count) => `${count} kB`,
    megabytes: (count) => `${count} MB`,
    gigabytes: (count) => `${count} GB`,
  },
  unknownParameter: (name, known) =>
    known.length === 0
      ? `${name}: there is no such parameter. This address has none.`
      : `${name}: there is no such parameter. Allowed: ${known.join(", ")}.`,
  wrongParameter: (name, allowed) => `The parameter “${name}” has a wrong value. Allowed: ${allowed}.`,
};
