import type { Messages } from "../uk.ts";

/** The pages about the site itself, and the page for addresses that do not exist. */
export const SITE_EN: Messages["site"] = {
  about: {
    title: "About the registry",
    description: "What this registry is, who runs it, and how to use its data.",
    sections: (name) => [
      {
        heading: "What it is",
        paragraphs: [
          `${name} is a public procurement registry. Buyers publish tenders here, suppliers ask questions and bid, and everyone can see how decisions are made, from the first notice to the contract.`,
          "In procedures with sealed bids, nobody sees before the deadline what the bids say, or how many there are. In procedures with open bids everyone sees each bid as soon as it arrives, and the page of the tender says so in advance. Auctions are held here too, live, and you can recompute the result of each of them yourself.",
        ],
      },
      {
        heading: "What you can do",
        paragraphs: [
          "Find a tender by words, subject, buyer, region or value. Follow it with a calendar or a feed. Look at every change of its terms and compare versions. See what a buyer spends, on what, and what a supplier wins.",
          "To publish a tender or to bid, you need a program or a marketplace with an access key. Reading needs neither a key nor an account.",
        ],
      },
      {
        heading: "Data",
        paragraphs: [
          "Everything on these pages is available to programs as well: as JSON from the API, and the results of a search and the statistics also as CSV tables, Atom feeds and calendars. Addresses of pages do not change, so you can link to them.",
        ],
      },
    ],
    operator: "Who runs this site",
    operatorUnknown: "The operator of this site has not given a name.",
    contactUnknown: "The operator has not said where to write to.",
    version: (version) => `Version of the software: ${version}.`,
  },
  accessibility: {
    title: "Accessibility",
    description: "How this site is made for everyone, what was tested, and what was not.",
    sections: [
      {
        heading: "Our aim",
        paragraphs: [
          "Everyone should be able to use this site with ease. Its pages follow WCAG 2.2 at level AA; the contrast of texts meets level AAA.",
          "The site works with a keyboard, with screen readers, enlarged up to 400 %, on narrow screens, in light and dark mode, without scripts (JavaScript) and with reduced motion. Every chart has a table with the same figures.",
        ],
      },
      {
        heading: "What was tested",
        paragraphs: [
          "Every change of the software is tested automatically in the browser Chromium: axe checks the pages in both languages, on a phone and on a computer, in light and dark mode, with scripts and without. Paths with a keyboard and the validity of the HTML are tested too.",
        ],
      },
      {
        heading: "Known limits",
        paragraphs: [
          "Documents of buyers and suppliers are shown as they were uploaded: screen readers may not be able to read them.",
          "Texts of participants may be in any language. The site does not know which one, so a screen reader may pronounce them wrongly.",
          "People with disabilities have not tested this site yet; the tests above do not replace that.",
          "Where scripts are off, the page of a running auction reloads itself at the end of each stage. WCAG 2.2 allows this for events in real time, such as auctions.",
          "The documentation for developers is in English only.",
        ],
      },
    ],
    contact: "If something does not work for you",
    contactText: "Tell us what and on which page: we will give you the information in another way and repair the site.",
  },
  privacy: {
    title: "Privacy",
    description: "What this site processes about its visitors.",
    sections: [
      {
        heading: "Cookies and other services",
        paragraphs: [
          "Readers get no cookies. The site does not measure what they do, and loads nothing from other sites.",
          "Only a bidder in an auction who has opened the personal link to it gets a cookie of this auction. It is needed to accept prices, is sent to the pages of this auction only, and expires after seven days.",
        ],
      },
      {
        heading: "What is published",
        paragraphs: [
          "Tenders contain details of buyers, bidders and their contact persons. This is public information which they provide themselves; the site shows it as it was provided and keeps the history of changes. Contact persons are not searchable.",
        ],
      },
    ],
    logs: "Logs",
    logsOff: "This server keeps no log of requests.",
    logsOn: (withAddresses) =>
      withAddresses
        ? "For each request the server logs the time, the address of the page without the parameters of a search, the result, the duration, the IP address and, if the request had an access key, the name of the account. Requests that may concern sealed bids are logged without IP address and account."
        : "For each request the server logs the time, the address of the page without the parameters of a search, the result, the duration and, if the request had an access key, the name of the account. IP addresses are not logged.",
    logsKept: "The operator of the site decides how long logs are kept.",
    contact: "Questions",
  },
  status: {
    title: "Service status",
    description: "Whether the registry works at the moment.",
    ok: "Everything works",
    unavailable: "A part of the service does not work",
    stopping: "This server is shutting down",
    parts: "Parts of the service",
    store: "Database of tenders",
    files: "Storage of documents",
    auctions: "Auctions",
    working: "works",
    notWorking: "does not work",
    behind: "are late",
    time: "Time of the server",
    lastChange: "Last public change",
    neverChanged: "none yet",
    version: "Version",
    apiVersions: "Versions of the API",
    programs: "Programs find the same status at",
  },
  notFound: {
    title: "Page not found",
    text: (path) => `There is no such page: ${path}`,
    hint: "The address may have a mistake, or only a part of it was copied. You can find a tender by its number, such as UA-2026-11-16-000001, or by words.",
    links: "Where to go from here",
    home: "Home page",
    search: "Find a tender",
  },
  opensearch: (name) => `Search tenders: ${name}`,
};
