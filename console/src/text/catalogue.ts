import type activity from "../../texts/en/activity.json";
import type application from "../../texts/en/application.json";
import type home from "../../texts/en/home.json";
import type organization from "../../texts/en/organization.json";
import type project from "../../texts/en/project.json";
import type settings from "../../texts/en/settings.json";
import type shell from "../../texts/en/shell.json";
import type tool from "../../texts/en/tool.json";
import type user from "../../texts/en/user.json";

/** Names of the sentences of the console. English has all of them, and is the measure of the others. */
export type TextKey =
  | keyof typeof activity
  | keyof typeof application
  | keyof typeof home
  | keyof typeof organization
  | keyof typeof project
  | keyof typeof settings
  | keyof typeof shell
  | keyof typeof tool
  | keyof typeof user;

type Sentences = Readonly<Record<string, string>>;

// The files of one language become one file of the bundle (vite.config.ts).
const files = import.meta.glob<Sentences>("../../texts/*/*.json", { import: "default" });

let sentences: Sentences = {};

/**
 * Loads the sentences of a language, of which each that is missing is in English. Every text that a user reads comes
 * from here, so it is called once before anything is shown.
 */
export async function loadTexts(language: string): Promise<void> {
  const [english, own] = await Promise.all([loadFiles("en"), language === "en" ? [] : loadFiles(language)]);
  sentences = Object.assign({}, ...english, ...own) as Sentences;
}

const loadFiles = (language: string): Promise<Sentences[]> =>
  Promise.all(
    Object.entries(files)
      .filter(([path]) => path.includes(`/texts/${language}/`))
      .map(([, load]) => load()),
  );

/** Returns a sentence with its placeholders `{name}` filled in. */
export function t(key: TextKey, values?: Readonly<Record<string, string | number>>): string {
  const sentence = sentences[key] ?? key;
  if (values === undefined) return sentence;
  return sentence.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
