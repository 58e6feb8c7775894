import type { Language } from "../base/language.ts";
import { type Brand, builtInBrand } from "../domain/branding/index.ts";
import { type Direction, directionOf, type Texts, type TextValues } from "../text/index.ts";
import type { Href } from "./href.ts";
import { type Html, type HtmlValue, html } from "./html.ts";
import { fillHtml } from "./text.ts";

/** Keys of `texts/<language>/pages.json`, read from the English catalogue by the compiler. */
export type PageKey = keyof typeof import("../../texts/en/pages.json", { with: { type: "json" }});

/** Everything that a page needs besides its own model: branding, language, and the token that protects its forms. */
export interface PageContext {
  readonly language: Language;
  readonly direction: Direction;
  /** Returns the text of a key, with values as plain text. */
  say(key: PageKey, values?: TextValues): string;
  /** Returns the text of a key, with values as markup. */
  sayHtml(key: PageKey, values: Readonly<Record<string, HtmlValue>>): Html;
  /** Formats date and time in the page's language, in UTC: for attributes, which cannot contain an element. */
  formatInstant(instant: number): string;
  /** Renders date and time in UTC, as an element that a script rewrites for the browser's zone. */
  showInstant(instant: number): Html;
  /** Returns a language's own name. */
  nameOf(language: Language): string;
  /** Returns the address of a file in `login/assets`. */
  asset(name: string): Href;
  /** Included in every form as `csrf_token`. */
  readonly csrfToken: string;
  /** This page in each language, the current one included. */
  readonly languageLinks: readonly LanguageLink[];
  /** Links to legal texts and support, in the order of every page; empty unless the operator configured any. */
  readonly supportLinks: readonly SupportLink[];
  /** Branding of the page. */
  readonly brand: PageBrand;
  /** The application that waits; undefined for none, or when the page has a way back of its own. */
  readonly returnTo: ReturnTo | undefined;
  /** The page is only to be looked at: it runs nothing, and nothing of it takes the focus or a click. */
  readonly isStill: boolean;
}

/** An application that waits for the user, and the address of ours that returns to it without a sign-in. */
export interface ReturnTo {
  readonly client: string;
  readonly action: Href;
}

/** A link to a legal text or to support. */
export interface SupportLink {
  readonly kind: "terms" | "privacy" | "accessibility" | "help" | "support" | "docs" | "custom";
  readonly href: Href;
  /** The operator's own label. */
  readonly label?: string | undefined;
  /** Whether it opens in a new tab. */
  readonly isOnPageOfItsOwn?: boolean;
}

/** A branding with the address of its style sheet, if it has one. */
export interface PageBrand extends Brand {
  readonly styleHref?: Href | undefined;
  /** Whether the page is drawn in the built-in font, whatever font the branding has. */
  readonly hasBuiltInFont?: boolean;
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
  /** Custom texts that replace those of the catalogues, by key. */
  readonly words?: ReadonlyMap<string, string> | undefined;
  /** Our own branding by default. */
  readonly brand?: PageBrand | undefined;
  readonly returnTo?: ReturnTo | undefined;
  readonly isStill?: boolean;
}

/** Creates the context of a response. */
export function createPageContext(input: PageContextInput): PageContext {
  const { texts, language, words } = input;
  const patternOf = (key: PageKey): string => words?.get(key) ?? texts.pattern(language, key);
  return {
    language,
    direction: directionOf(language),
    say: (key, values) => texts.fill(language, patternOf(key), values),
    sayHtml: (key, values) => fillHtml(patternOf(key), values),
    formatInstant: (instant) => texts.formatInstant(language, instant),
    showInstant: (instant) =>
      html`<time datetime="${new Date(instant).toISOString().slice(0, 16)}Z">${texts.formatInstant(language, instant)}</time>`,
    nameOf: (of) => texts.nameOf(of),
    asset: (name) => input.assets.href(name),
    csrfToken: input.csrfToken,
    languageLinks: input.languageLinks,
    supportLinks: input.supportLinks ?? [],
    brand: input.brand ?? builtInBrand,
    returnTo: input.returnTo,
    isStill: input.isStill ?? false,
  };
}
