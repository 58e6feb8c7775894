import type activity from "../../texts/en/activity.json";
import type appearance from "../../texts/en/appearance.json";
import type application from "../../texts/en/application.json";
import type attempt from "../../texts/en/attempt.json";
import type automation from "../../texts/en/automation.json";
import type home from "../../texts/en/home.json";
import type job from "../../texts/en/job.json";
import type organization from "../../texts/en/organization.json";
import type project from "../../texts/en/project.json";
import type provider from "../../texts/en/provider.json";
import type settings from "../../texts/en/settings.json";
import type shell from "../../texts/en/shell.json";
import type tool from "../../texts/en/tool.json";
import type user from "../../texts/en/user.json";

/** Names of the sentences of the console. English has all of them, and is the measure of the others. */
export type TextKey =
  | keyof typeof activity
  | keyof typeof appearance
  | keyof typeof application
  | keyof typeof attempt
  | keyof typeof automation
  | keyof typeof home
  | keyof typeof job
  | keyof typeof organization
  | keyof typeof project
  | keyof typeof provider
  | keyof typeof settings
  | keyof typeof shell
  | keyof typeof tool
  | keyof typeof user;

type Sentences = Readonly<Record<string, string>>;

// The files of one language become one file of the bundle (vite.config.ts).
const files = import.meta.glob<Sentences>("../../texts/*/*.json", { import: "default" });

let sentences: Sentences = {};

/**
 * The language of the console: that of the document if there are texts in it, and otherwise English. It is set in the
 * document, so that screen readers pronounce the sentences correctly.
 */
export const textLanguage = chooseLanguage(document.documentElement);

function chooseLanguage(root: HTMLElement): string {
  if (Object.keys(files).some((path) => path.includes(`/texts/${root.lang}/`))) return root.lang;
  root.lang = "en";
  root.dir = "ltr";
  return "en";
}

/**
 * Loads the sentences; one that is missing is in English. Every text that a user reads comes from here, so it is called
 * once before anything is shown.
 */
export async function loadTexts(): Promise<void> {
  const own = textLanguage === "en" ? [] : loadFiles(textLanguage);
  const [english, others] = await Promise.all([loadFiles("en"), own]);
  sentences = Object.assign({}, ...english, ...others) as Sentences;
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
