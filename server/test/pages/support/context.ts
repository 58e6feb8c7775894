import type { Language } from "../../../src/base/language.ts";
import { languages } from "../../../src/base/language.ts";
import { createPageContext, href, type PageContext, type PageContextInput } from "../../../src/html/index.ts";
import { createTexts } from "../../../src/text/index.ts";

const texts = createTexts();

/** A context as a request would have it, in a language. */
export function pageContext(language: Language = "en", others: Partial<PageContextInput> = {}): PageContext {
  return createPageContext({
    texts,
    assets: { href: (name) => href(`/ui/assets/${name}`) },
    language,
    csrfToken: "csrf-token-of-this-browser",
    languageLinks: languages.map((to) => ({ language: to, href: href(`?ui_locales=${to}`) })),
    supportLinks: [{ kind: "help", href: href("https://help.example.test/") }],
    ...others,
  });
}
