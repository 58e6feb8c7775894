import { html as escapingTemplate } from "hono/html";
import type { Brand } from "../../base/brand.ts";

/** Markup that is safe to send: only the template below makes it. */
export type Html = Brand<object, "Html">;

/** What may stand between the markup. Text is escaped; what is absent or false leaves nothing. */
export type HtmlValue = string | number | Html | false | undefined | readonly HtmlValue[];

/**
 * The one way to markup: a template whose values are escaped, in text and in quoted attributes. There is deliberately no way to
 * put in markup that came as a string. Not made for the inside of scripts, styles, comments and unquoted attributes.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const markup = escapingTemplate(strings, ...values);
  if (markup instanceof Promise) throw new TypeError("a page does not wait: values must be there when it is rendered");
  return markup as object as Html;
}

/** The markup as the text that is sent. */
export const render = (markup: Html): string => markup.toString();

/** Value of an attribute: `true` writes its name alone, `false` and `undefined` leave it out. */
export type AttributeValue = string | number | boolean | undefined;

/** Attributes with a leading space each. Names come from our code, never from outside. */
export const attributes = (named: Readonly<Record<string, AttributeValue>>): Html =>
  html`${Object.entries(named).map(([name, value]) => {
    if (value === undefined || value === false) return undefined;
    return value === true ? html` ${name}` : html` ${name}="${value}"`;
  })}`;
