import { Fault } from "../../base/fault.ts";
import { languages, matchLanguage } from "../../base/language.ts";
import { type Call, requirePermission } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
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

/**
 * Restricts the languages that may be chosen; an empty list allows all. The default language stays allowed. What is
 * absent stays as it is.
 */
export function setRestrictions(
  deps: { readonly database: Database },
  call: Call,
  input: {
    readonly languages?: readonly string[] | undefined;
    readonly disallowPublicOrgRegistration?: boolean | undefined;
  },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const { disallowPublicOrgRegistration } = input;
    const allowedLanguages = input.languages && (await allowedOf(tx, input.languages));
    return writeSettings(tx, {
      kind: "general",
      change: (current) => ({
        allowedLanguages: allowedLanguages ?? current.allowedLanguages,
        disallowPublicOrgRegistration: disallowPublicOrgRegistration ?? current.disallowPublicOrgRegistration,
      }),
    });
  });
}

async function allowedOf(tx: Tx, languages: readonly string[]): Promise<readonly string[]> {
  const allowed = [...new Set(languages)];
  const instance = await findInstance(tx, tx.instanceId);
  if (allowed.length > 0 && !allowed.includes(instance?.defaultLanguage ?? "")) {
    throw new Fault("failed_precondition", "settings.default_language_excluded", { field: "allowedLanguages" });
  }
  return allowed;
}

/** Returns the languages that may be chosen: those that the instance allows, otherwise all supported ones. */
export const chosenLanguages = (allowed: readonly string[]): string[] =>
  allowed.length === 0 ? [...languages] : [...allowed];
