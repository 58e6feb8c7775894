import { Fault } from "../../base/fault.ts";
import { languages, matchLanguage } from "../../base/language.ts";
import { type Call, requirePermission } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { findInstance, setInstanceDefault } from "../instance/index.ts";
import { readSettings } from "./settings-reader.ts";
import { writeSettings } from "./write-settings.ts";

/** Sets the language for users who have chosen none. The instance must allow it. */
export function setDefaultLanguage(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly language: string },
): Promise<Details> {
  requirePermission(call, "iam.write", {});
  return deps.database.change(call, async (tx) => {
    const language = matchLanguage(input.language);
    const { allowedLanguages } = (await readSettings(tx, "general", call)).settings;
    if (language === undefined || (allowedLanguages.length > 0 && !allowedLanguages.includes(language))) {
      throw new Fault("invalid_argument", "settings.language_unsupported", { field: "language" });
    }
    return setInstanceDefault(tx, { language });
  });
}

/** Restricts the languages that may be chosen; an empty list allows all. The default language stays allowed. */
export function setAllowedLanguages(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly languages: readonly string[] },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const allowedLanguages = [...new Set(input.languages)];
    const instance = await findInstance(tx, tx.instanceId);
    if (allowedLanguages.length > 0 && !allowedLanguages.includes(instance?.defaultLanguage ?? "")) {
      throw new Fault("failed_precondition", "settings.default_language_excluded", { field: "allowedLanguages" });
    }
    return writeSettings(tx, { kind: "general", change: (current) => ({ ...current, allowedLanguages }) });
  });
}

/** Returns the languages that may be chosen: those that the instance allows, otherwise all supported ones. */
export const chosenLanguages = (allowed: readonly string[]): string[] =>
  allowed.length === 0 ? [...languages] : [...allowed];
