import { Fault } from "../../base/fault.ts";
import { parseWebAddress } from "../../base/names/web-address.ts";

const placeholder = /\{\{\s*\.([A-Za-z]+)\s*\}\}/g;

/**
 * Validates a link with placeholders, as callers of the interface write it:
 * `https://app.example/verify?code={{.Code}}`. Rejects a placeholder that the message does not have, and anything but a
 * web address that all parsers read alike. A host is written out: what a placeholder stands for is not known where the
 * link is judged, and users choose some of it.
 */
export function parseUrlTemplate(template: string, names: readonly string[], field: string): string {
  const filled = template.replace(placeholder, (whole, name: string) => (names.includes(name) ? "1" : whole));
  if (parseWebAddress(filled) === undefined || hasPlaceholderInHost(template)) {
    throw new Fault("invalid_argument", "notification.url_template_invalid", {
      field,
      values: { names: names.join(", ") },
    });
  }
  return template;
}

const hasPlaceholderInHost = (template: string): boolean =>
  (/^[a-z]+:\/\/[^/?#]*/i.exec(template)?.[0] ?? "").includes("{{");

/**
 * Fills in the link with percent-encoded values. No value leads elsewhere than the link without values does: one of
 * dots alone would be a step in the path, and is left out.
 */
export function fillUrlTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(placeholder, (_, name: string) =>
    encodeURIComponent(values[name] ?? "").replace(/^\.+$/, ""),
  );
}
