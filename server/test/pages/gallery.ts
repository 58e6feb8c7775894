import { type Language, languages } from "../../src/base/language.ts";
import { createPageContext, type Html, href, type PageBrand, type PageContext } from "../../src/html/index.ts";
import type { Assets } from "../../src/pages/assets.ts";
import { createTexts } from "../../src/text/index.ts";
import { galleryBrands } from "./support/branded.ts";
import type { GalleryView } from "./support/gallery-view.ts";
import { galleryViews } from "./support/gallery-views.ts";

/** One page of the gallery: a view in a state and a language. */
export interface GalleryPage {
  /** `<view>.<state>.<language>`; the name of a look stands in the place of the state. */
  readonly name: string;
  readonly view: string;
  readonly state: string;
  readonly language: Language;
  readonly path: string;
  /** Hash of the script of a page that posts itself on to an application. */
  readonly relayScriptHash?: string | undefined;
  render(): Html;
}

const texts = createTexts();

/** Languages in which all is shown: one is read from left to right, one from right to left. */
export const galleryLanguages: readonly Language[] = ["en", "ar"];
// What people see who only sign in, with the longest words that pages have.
const main = ["login-name", "register", "password", "password-change", "device-confirm"];
// What has most of the colors: fields, buttons of all kinds, errors, notices, accounts.
const inLooks = ["login-name.providers", "password.error", "choose-account.default", "device-confirm.default"];

/**
 * Every view in every state it has, in a language of each direction; those of signing in as they mostly are in every
 * language; and some in looks that organizations chose.
 */
export function gallery(assets: Assets): GalleryPage[] {
  const context = (language: Language, brand?: PageBrand): PageContext =>
    createPageContext({
      brand,
      texts,
      assets,
      language,
      csrfToken: "tZ0pYb4mQ1nJv6cR8sKdW2eXu3aLfH5gO7iN9oTlEwM",
      languageLinks: languages.map((to) => ({ language: to, href: href(`?ui_locales=${to}`) })),
      // Some kinds are enough: one more would change every picture.
      supportLinks: (["terms", "privacy", "help", "support"] as const).map((kind) => ({ kind, href: href("/help") })),
    });
  const pageOf = (shown: GalleryView, language: Language): GalleryPage => {
    const { view, state, relayScriptHash } = shown;
    const name = `${view}.${state}.${language}`;
    const render = (): Html => shown.render(context(language));
    return { name, view, state, language, path: `/${name}`, relayScriptHash, render };
  };
  const inLook = ([look, brand]: [string, PageBrand], { view, state, render }: GalleryView): GalleryPage => {
    const name = `${view}.${look}.en`;
    return { name, view, state, language: "en", path: `/${name}`, render: () => render(context("en", brand)) };
  };
  const everywhere = galleryViews.filter(({ view, state }) => main.includes(view) && state === "default");
  return [
    ...languages.flatMap((language) =>
      (galleryLanguages.includes(language) ? galleryViews : everywhere).map((view) => pageOf(view, language)),
    ),
    ...galleryViews
      .filter(({ view, state }) => inLooks.includes(`${view}.${state}`))
      .flatMap((view) => Object.entries(galleryBrands).map((look) => inLook(look, view))),
  ];
}
