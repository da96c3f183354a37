import type { SiteSettings } from "../../config/config.ts";
import type { Markup } from "../markup.ts";
import { type Language, localizedPath } from "./languages.ts";

/** What a page of the portal consists of, before it is laid out. */

/** The sections of the site that the menu has. */
export const PORTAL_SECTIONS = ["tenders", "auctions", "calendar", "statistics"] as const;
export type PortalSection = (typeof PORTAL_SECTIONS)[number];

/** What all pages know of the service. */
export type PortalSite = SiteSettings & {
  /** The address of the service, without a trailing slash, such as `https://tenders.example/registry`. */
  readonly origin: string;
  /** The path in front of all links: `basePathOf(origin)`. */
  readonly basePath: string;
  /** The language whose pages have no prefix in their path. */
  readonly defaultLanguage: Language;
  readonly sandbox: boolean;
  /** Whether the registry publishes open data. */
  readonly hasOpenData?: boolean;
};

/** A page above this one, as the trail of links above the content shows it. */
export type Breadcrumb = {
  readonly title: string;
  /** Without base path and without language. */
  readonly path: string;
};

/** The same content in another form, which programs find in the head: a feed, a table, a calendar. */
export type AlternateForm = {
  /** The media type, such as `application/atom+xml`. */
  readonly type: string;
  readonly title: string;
  /** Without base path; with the language, if it has one. */
  readonly path: string;
};

/** How a link to the page looks in other services. The description is that of the page. */
export type LinkPreview = {
  /** The title, if that of the page changes all the time. */
  readonly title?: string;
  readonly type?: "website" | "article";
  /** The picture, 1200 by 630 pixels, without base path and language; that of the site if there is none. */
  readonly imagePath?: string;
};

/** One page, before it is laid out. */
export type PortalPage = {
  /** Without base path and without language: `/auctions`. */
  readonly path: string;
  /**
   * The query that belongs to the address of the page, such as `?cpv=09&page=2`, empty without one. The language switch keeps it,
   * and it is a part of the canonical address: leave out parameters that change nothing.
   */
  readonly query?: string;
  /** What the page is. The layout appends the name of the site. */
  readonly title: string;
  readonly description: string;
  readonly content: Markup;
  readonly zoneName: string;
  /** The entry of the menu to which the page belongs, if it belongs to one. */
  readonly section?: PortalSection;
  /** The pages above this one, from the first page down; without the page itself. */
  readonly breadcrumbs?: readonly Breadcrumb[];
  /** Search engines must not list the page: for results of a search, errors, and whatever exists under many addresses. */
  readonly isUnlisted?: true;
  readonly alternateForms?: readonly AlternateForm[];
  readonly preview?: LinkPreview;
  /** A description of the page in the vocabulary of schema.org, with `@type`; the layout adds the rest. */
  readonly structuredData?: { readonly [name: string]: unknown };
  /** The page has a search box of its own, so the header has none. */
  readonly hasSearchBox?: true;
  /** The module of `src/portal/browser` that the page runs. */
  readonly script?: string;
  /** More elements of the head. */
  readonly head?: Markup;
};

/** The path of a page of the portal in a language, with the base path. */
export const pagePathOf = (
  { basePath, defaultLanguage }: Pick<PortalSite, "basePath" | "defaultLanguage">,
  path: string,
  language: Language,
): string => basePath + localizedPath(path, language, defaultLanguage);
