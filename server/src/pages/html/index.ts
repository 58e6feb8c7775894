export {
  createPageContext,
  type LanguageLink,
  type PageBrand,
  type PageContext,
  type PageContextInput,
  type PageKey,
} from "./context.ts";
export { arrangeErrors, type FieldError, type FormError, type FormErrors } from "./errors.ts";
export {
  autocompleteTokens,
  type Control,
  checkbox,
  type Field,
  field,
  type Select,
  select,
  usernameForManagers,
} from "./field.ts";
export { type ButtonKind, buttonLink, type Form, form, link, placeLink } from "./form.ts";
export { authenticatorHref, type Href, href, toHref } from "./href.ts";
export { attributes, type Html, type HtmlValue, html, render } from "./html.ts";
export { type Page, page } from "./page.ts";
export { type RelayForm, relayForm, relayScript } from "./relay-form.ts";
export { fillHtml, given, strong } from "./text.ts";
