/** What may stand between the markup. Text is escaped; what is absent or false leaves nothing. */
export type HtmlValue = string | number | Html | false | undefined | readonly HtmlValue[];

/** Markup that is safe to send: only the template below makes it. */
export type Html = Markup;

// A private field is what tells markup from text: no parsed input, whatever its properties and prototype, can have one.
class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text of markup, undefined for every other value. */
  static textOf(value: object): string | undefined {
    return #text in value ? value.#text : undefined;
  }
}

/**
 * The only way to create markup: a template that escapes its values, in text and in quoted attributes. There is
 * deliberately no way to insert a string as markup. Not for the inside of scripts, styles, comments and unquoted
 * attributes.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = strings[0] ?? "";
  for (let index = 0; index < values.length; index++) text += textOf(values[index]) + (strings[index + 1] ?? "");
  return new Markup(text);
}

/** The markup as the text that is sent. */
export function render(markup: Html): string {
  const text = Markup.textOf(markup);
  if (text === undefined) throw new TypeError("only the html template makes markup");
  return text;
}

// The compiler keeps other values out, but a cast of parsed input gets past it: whatever is not markup is escaped.
function textOf(value: unknown): string {
  if (typeof value === "string") return escapeText(value);
  if (typeof value === "number") return String(value);
  if (value === undefined || value === null || typeof value === "boolean") return "";
  if (Array.isArray(value)) return value.reduce<string>((text, each) => text + textOf(each), "");
  if (value instanceof Promise) throw new TypeError("a page does not wait: values must be there when it is rendered");
  const markup = typeof value === "object" ? Markup.textOf(value) : undefined;
  return markup ?? escapeText(String(value));
}

// The five characters that end a text, a tag or a quoted value, or begin a reference (HTML §13.1.2).
const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const metacharacter = /[&<>"']/;
const metacharacters = /[&<>"']/g;

// Most values have none of them, and looking is cheaper than replacing.
const escapeText = (text: string): string =>
  metacharacter.test(text) ? text.replace(metacharacters, (found) => references[found] ?? "") : text;

/** Value of an attribute: `true` writes its name alone, `false` and `undefined` leave it out. */
export type AttributeValue = string | number | boolean | undefined;

/** Renders attributes, each with a leading space. Names come from our code, never from outside. */
export const attributes = (named: Readonly<Record<string, AttributeValue>>): Html =>
  html`${Object.entries(named).map(([name, value]) => {
    if (value === undefined || value === false) return undefined;
    return value === true ? html` ${name}` : html` ${name}="${value}"`;
  })}`;
