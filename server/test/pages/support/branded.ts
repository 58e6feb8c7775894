import { brandOf } from "../../../src/domain/branding/index.ts";
import { defaultBrandingSettings } from "../../../src/domain/settings/index.ts";
import { href, type PageBrand } from "../../../src/html/index.ts";

const drawing = (colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 40" width="160" height="40"><rect width="40" height="40" rx="10" fill="${colour}"/><circle cx="80" cy="20" r="16" fill="${colour}"/><path d="M104 36 120 4l16 32z" fill="${colour}"/></svg>`;

/** Files of the looks of the gallery, by their names. */
const files = new Map([
  [`${"l".repeat(43)}.svg`, drawing("#5b21b6")],
  [`${"d".repeat(43)}.svg`, drawing("#c4b5fd")],
]);
const [logo = "", logoDark = ""] = files.keys();

/** A look that was chosen well, with a logo for each theme. */
const chosen = brandOf(
  {
    ...defaultBrandingSettings,
    lightTheme: { primaryColor: "#5b21b6", backgroundColor: "#f5f3ff", warnColor: "#b00020", fontColor: "#1e1033" },
    darkTheme: { primaryColor: "#c4b5fd", backgroundColor: "#140b24", warnColor: "#ffb4ab", fontColor: "#f1ecfb" },
    assets: { logo, logoDark, icon: logo },
  },
  "Acme",
);

/** A look in which nothing could be read: pale on pale, and dark on dark; without the product's name. */
const awkward = brandOf(
  {
    ...defaultBrandingSettings,
    lightTheme: { primaryColor: "#ffe14d", backgroundColor: "#ffd6e0", warnColor: "#ffc0c0", fontColor: "#e0c0c8" },
    darkTheme: { primaryColor: "#10203a", backgroundColor: "#777777", warnColor: "#602020", fontColor: "#666666" },
    disableWatermark: true,
  },
  "Niederrheinische Verkehrsgesellschaft",
);

const withStyle = (brand: typeof chosen): PageBrand => ({
  ...brand,
  styleHref: href(`/branding/${brand.style?.hash}.css`),
});

/** Looks in which the gallery shows pages, by the state that it calls them. */
export const galleryBrands: Readonly<Record<string, PageBrand>> = {
  branded: withStyle(chosen),
  unreadable: withStyle(awkward),
};

/** What a server of the gallery answers under `/branding/`. */
export function findBrandedFile(path: string): { readonly type: string; readonly body: string } | undefined {
  const name = path.slice("/branding/".length);
  const style = [chosen, awkward].find((brand) => `${brand.style?.hash}.css` === name)?.style;
  if (style !== undefined) return { type: "text/css; charset=utf-8", body: style.css };
  const body = files.get(name);
  return body === undefined ? undefined : { type: "image/svg+xml", body };
}
