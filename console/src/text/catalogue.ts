import type en from "../../texts/en.json";

/** Names of the sentences of the console. English has all of them, and is the measure of the others. */
export type TextKey = keyof typeof en;

const files = import.meta.glob<Readonly<Record<string, string>>>("../../texts/*.json", { import: "default" });

let sentences: Readonly<Record<string, string>> = {};

/**
 * Loads the sentences of a language, of which each that is missing is in English. Every text that a user reads comes
 * from here, so it is called once before anything is shown.
 */
export async function loadTexts(language: string): Promise<void> {
  const load = async (name: string) => files[`../../texts/${name}.json`]?.();
  const [english, own] = await Promise.all([load("en"), language === "en" ? undefined : load(language)]);
  sentences = { ...english, ...own };
}

/** Returns a sentence with its placeholders `{name}` filled in. */
export function t(key: TextKey, values?: Readonly<Record<string, string | number>>): string {
  const sentence = sentences[key] ?? key;
  if (values === undefined) return sentence;
  return sentence.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
