import { given, type Html, type PageContext, strong } from "../../../html/index.ts";

/** An account at a provider, as far as a page says whose it is (`shownExternalAccount`). */
export interface ExternalAccountView {
  readonly providerName: string | undefined;
  readonly username: string | undefined;
}

const texts = {
  unknown: { named: "external.text", unnamed: "external.unnamed_text" },
  known: { named: "external.known.text", unnamed: "external.known.unnamed_text" },
  link: { named: "external.link.text", unnamed: "external.link.unnamed_text" },
  linking: { named: "login_name.linking", unnamed: "login_name.unnamed_linking" },
} as const;

/** Renders a sentence about an account at a provider. */
export function sayOfAccount(
  context: PageContext,
  sentence: keyof typeof texts,
  { providerName, username }: ExternalAccountView,
): Html {
  const { named, unnamed } = texts[sentence];
  const provider = given(providerName ?? context.say("external.unnamed_provider"));
  if (username === undefined) return context.sayHtml(unnamed, { provider });
  return context.sayHtml(named, { username: strong(username), provider });
}
