import { Fault } from "../../base/fault.ts";
import { type Language, languages, matchLanguage } from "../../base/language.ts";
import type { Reader } from "../../database/index.ts";
import { findInstance } from "../instance/index.ts";

/** Reads the language of a text. Rejects unsupported languages, in which no message would be sent. */
export function requireMessageLanguage(tag: string): Language {
  const language = languages.find((each) => each === tag.trim().toLowerCase());
  if (language === undefined) {
    throw new Fault("invalid_argument", "message_text.language_unsupported", {
      field: "language",
      values: { languages: languages.join(", ") },
    });
  }
  return language;
}

/**
 * Returns the language of messages to a user who prefers the given one: the best match, otherwise that of the instance,
 * else English.
 */
export async function chooseMessageLanguage(reader: Reader, instanceId: string, tag: string): Promise<Language> {
  const wanted = matchLanguage(tag);
  if (wanted !== undefined) return wanted;
  const instance = await findInstance(reader, instanceId);
  return matchLanguage(instance?.defaultLanguage ?? "") ?? "en";
}
