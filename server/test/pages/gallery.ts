import { type Language, languages } from "../../src/base/language.ts";
import type { Assets } from "../../src/pages/assets.ts";
import { createPageContext, type Html, href, type PageContext } from "../../src/pages/html/index.ts";
import { createTexts, type Direction } from "../../src/text/index.ts";
import { type GalleryView, galleryViews } from "./support/gallery-views.ts";

/** One page of the gallery: a view in a state and a language. */
export interface GalleryPage {
  /** `<view>.<state>.<language>`, and `.rtl` where the layout is turned round. */
  readonly name: string;
  readonly view: string;
  readonly state: string;
  readonly language: Language;
  readonly path: string;
  render(): Html;
}

const texts = createTexts();

/** Every view in every state it has, in every language; and the default states once from right to left. */
export function gallery(assets: Assets): GalleryPage[] {
  const context = (language: Language, direction?: Direction): PageContext =>
    createPageContext({
      ...{ texts, assets, language, csrfToken: "tZ0pYb4mQ1nJv6cR8sKdW2eXu3aLfH5gO7iN9oTlEwM" },
      ...(direction === undefined ? {} : { direction }),
      languageLinks: languages.map((to) => ({ language: to, href: href(`?ui_locales=${to}`) })),
      helpHref: href("/help"),
    });
  const pageOf = (shown: GalleryView, language: Language, direction?: Direction): GalleryPage => {
    const { view, state } = shown;
    const name = [view, state, language, ...(direction === undefined ? [] : [direction])].join(".");
    return { name, view, state, language, path: `/${name}`, render: () => shown.render(context(language, direction)) };
  };
  return [
    ...languages.flatMap((language) => galleryViews.map((view) => pageOf(view, language))),
    ...galleryViews.filter(({ state }) => state === "default").map((view) => pageOf(view, "en", "rtl")),
  ];
}
