import type { Parameters } from "../parameters.ts";

/** Longest value of `ui_locales` that is read. */
export const longestUiLocales = 512;

/** Returns the languages that the client requests, best first (OpenID Connect Core §3.1.2.1). */
export const readUiLocales = (parameters: Parameters): string[] =>
  (parameters.get("ui_locales") ?? "")
    .slice(0, longestUiLocales)
    .split(" ")
    .filter((locale) => locale !== "");
