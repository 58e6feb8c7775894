import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { languages } from "../../server/src/base/language.ts";

const root = join(import.meta.dirname, "../..");

/** Texts that are a term and little else; those of the hosted pages where these have the term. */
const texts = [
  "aggregate.user",
  "aggregate.organization",
  "aggregate.project",
  "aggregate.application",
  "login_name.title",
  "logout.title",
  "account.passkey",
  "account.security_key",
  "administrator.role",
  "aggregate.project_grant",
  "tool.inspector.token",
  "application.test.claim",
  "aggregate.saml_assertion",
  "tool.inspector.audience",
  "aggregate.session",
  "setup_link.provider",
  "automation.endpoint",
  "setupLink.revoke",
  "user.action.lock",
  "user.action.deactivate",
  "impersonation.end",
  "aggregate.setup_link",
] as const;

/** The page `docs/glossary-of-languages.md`: what each language calls things, read from its texts. */
export function renderLanguages(): string {
  const english = readTexts("en");
  const names = new Intl.DisplayNames("en", { type: "language" });
  const sections = languages.map((language) => {
    const own = readTexts(language);
    const rows = texts.map((key) =>
      language === "en" ? `| ${english.get(key)} | ${key} |` : `| ${english.get(key)} | ${own.get(key)} |`,
    );
    const header = language === "en" ? "| Term | Text |" : `| English | ${names.of(language)} |`;
    return [`## ${names.of(language)}\n`, header, "|---|---|", ...rows].join("\n");
  });
  return `${[introduction, ...sections].join("\n\n")}\n`;
}

const introduction = `# Glossary of languages

<!-- Written by \`npm run docs:pages\` from the texts of the hosted pages and the console. Do not edit. -->

Editors and translators follow this page: in all texts of a language, on hosted pages, in messages and in the console, a thing has the
one term that it has here. What the terms mean is in the [glossary](glossary.md). To change a term, change it in every text of
the language, in \`server/texts\` and \`console/texts\`, and write this page again. The table of English names the text that each term is
read from.`;

function readTexts(language: string): ReadonlyMap<string, string> {
  const files = globSync(`{server,console}/texts/${language}/*.json`, { cwd: root });
  return new Map(
    files.flatMap((file) =>
      Object.entries(JSON.parse(readFileSync(join(root, file), "utf8")) as Record<string, string>),
    ),
  );
}
