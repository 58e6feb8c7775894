import { Fault } from "../../base/fault.ts";
import { parseWebAddress } from "../../base/web-address.ts";

const placeholder = /\{\{\s*\.([A-Za-z]+)\s*\}\}/g;

/**
 * A link with placeholders, as callers of the interface write it: `https://app.example/verify?code={{.Code}}`. Refused when it uses
 * a placeholder that the message does not have, or is no address of the web that every reader reads alike.
 */
export function parseUrlTemplate(template: string, names: readonly string[], field: string): string {
  const filled = template.replace(placeholder, (whole, name: string) => (names.includes(name) ? "1" : whole));
  if (parseWebAddress(filled) === undefined) {
    throw new Fault("invalid_argument", "notification.url_template_invalid", {
      field,
      values: { names: names.join(", ") },
    });
  }
  return template;
}

/** The link, with values percent-encoded into their places. */
export function fillUrlTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(placeholder, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}
