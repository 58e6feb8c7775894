import { type TextKey, t } from "../../text/catalogue.ts";

/** Returns what is wrong with, or unwise about, a redirect URI, or undefined. The server decides what it accepts. */
function checkAddress(text: string): string | undefined {
  const key = problemOf(text.trim());
  return key && t(key, { address: text.trim() });
}

function problemOf(text: string): TextKey | undefined {
  const url = URL.parse(text);
  if (url === null) return "application.address.notAnAddress";
  if (text.includes("#")) return "application.address.fragment";
  if (text.includes("*")) return "application.address.wildcard";
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url.protocol === "http:" && !isLocal) return "application.address.notEncrypted";
  return undefined;
}

/** Returns the addresses of a text with one on each line. */
export const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Returns what is wrong with the first such address, for a field of a form. */
export const checkAddresses = (text: string): string | undefined =>
  linesOf(text)
    .map(checkAddress)
    .find((problem) => problem !== undefined);
