export { brandMark } from "./brand.ts";
export { type CodeSample, codeBlock, codeChoice } from "./code-samples.ts";
export {
  createPageContext,
  type LanguageLink,
  type PageBrand,
  type PageContext,
  type PageContextInput,
  type PageKey,
  type ReturnTo,
  type SupportLink,
} from "./context.ts";
export { arrangeErrors, type FormError, type FormErrors } from "./errors.ts";
export { autocompleteTokens, type Control, checkbox, type Field, field, select, usernameForManagers } from "./field.ts";
export { fileField } from "./file-field.ts";
export { buttonLink, form, link, menuButton, navigationLink, strangerLink } from "./form.ts";
export { authenticatorHref, type Href, href, mailHref, mailtoHref, toHref } from "./href.ts";
export { attributes, type Html, type HtmlValue, html, render } from "./html.ts";
export { type IconName, icon, providerIcon, withIcon } from "./icons.ts";
export { keepButtons } from "./keep-buttons.ts";
export { notice } from "./notice.ts";
export { page } from "./page.ts";
export { relayForm, relayScript } from "./relay-form.ts";
export { searchButton, searchDialog } from "./search-dialog.ts";
export { supportLink } from "./support-links.ts";
export { fillHtml, given, strong } from "./text.ts";
