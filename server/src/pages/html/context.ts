import type { Language } from "../../base/language.ts";
import { type Brand, builtInBrand } from "../../domain/branding/index.ts";
import { type Direction, directionOf, type Texts, type TextValues } from "../../text/index.ts";
import type { Href } from "./href.ts";
import type { Html, HtmlValue } from "./html.ts";
import { fillHtml } from "./text.ts";

/** Keys of `texts/<language>/pages.json`, read from the English catalogue by the compiler. */
export type PageKey = keyof typeof import("../../../texts/en/pages.json", { with: { type: "json" }});

/** What every page needs beside its own model: who speaks, in which language, and how this browser proves its forms. */
export interface PageContext {
  readonly language: Language;
  readonly direction: Direction;
  /** The text of a key, with values as plain text. */
  say(key: PageKey, values?: TextValues): string;
  /** The text of a key, with values as markup. */
  sayHtml(key: PageKey, values: Readonly<Record<string, HtmlValue>>): Html;
  /** Date and time in the page's language, in UTC. */
  formatInstant(instant: number): string;
  /** A language's own name for itself. */
  nameOf(language: Language): string;
  /** Address of a file of `login/assets`. */
  asset(name: string): Href;
  /** Written into every form as `csrf_token`. */
  readonly csrfToken: string;
  /** This page in each language, the current one included. */
  readonly languageLinks: readonly LanguageLink[];
  /** What is agreed and who helps, in the order in which every page shows it; nothing where the operator named no place. */
  readonly supportLinks: readonly SupportLink[];
  /** How the page looks. */
  readonly brand: PageBrand;
}

/** A place where people read what is agreed, or get help. */
export interface SupportLink {
  readonly kind: "terms" | "privacy" | "help" | "support" | "docs" | "custom";
  readonly href: Href;
  /** The operator's own words for it. */
  readonly label?: string | undefined;
  /** Whether it opens beside the page. */
  readonly isOnPageOfItsOwn?: boolean;
}

/** A look with the address of its style sheet, where it has one. */
export interface PageBrand extends Brand {
  readonly styleHref?: Href | undefined;
}

export interface LanguageLink {
  readonly language: Language;
  readonly href: Href;
}

export interface PageContextInput {
  readonly texts: Texts;
  readonly assets: { href(name: string): Href };
  readonly language: Language;
  readonly csrfToken: string;
  readonly languageLinks: readonly LanguageLink[];
  readonly supportLinks?: readonly SupportLink[];
  /** What is said instead of what the catalogues say, by key. */
  readonly words?: ReadonlyMap<string, string> | undefined;
  /** Our own look when not given. */
  readonly brand?: PageBrand | undefined;
}

/** The context of one answer. */
export function createPageContext(input: PageContextInput): PageContext {
  const { texts, language, words } = input;
  const patternOf = (key: PageKey): string => words?.get(key) ?? texts.pattern(language, key);
  return {
    language,
    direction: directionOf(language),
    say: (key, values) => texts.fill(language, patternOf(key), values),
    sayHtml: (key, values) => fillHtml(patternOf(key), values),
    formatInstant: (instant) => texts.formatInstant(language, instant),
    nameOf: (of) => texts.nameOf(of),
    asset: (name) => input.assets.href(name),
    csrfToken: input.csrfToken,
    languageLinks: input.languageLinks,
    supportLinks: input.supportLinks ?? [],
    brand: input.brand ?? builtInBrand,
  };
}
