export {
  createPageContext,
  type LanguageLink,
  type PageBrand,
  type PageContext,
  type PageContextInput,
  type PageKey,
  type SupportLink,
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
export { type FileField, fileField } from "./file-field.ts";
export { type ButtonKind, buttonLink, type Form, form, link, placeLink } from "./form.ts";
export { authenticatorHref, type Href, href, mailHref, mailtoHref, toHref } from "./href.ts";
export { attributes, type Html, type HtmlValue, html, render } from "./html.ts";
export { type Keeping, keepButtons } from "./keep-buttons.ts";
export { type Page, page } from "./page.ts";
export { type RelayForm, relayForm, relayScript } from "./relay-form.ts";
export { supportLink } from "./support-links.ts";
export { fillHtml, given, strong } from "./text.ts";
