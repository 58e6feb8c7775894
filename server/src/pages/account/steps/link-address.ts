import type { Href } from "../../html/index.ts";
import { pathTo } from "../../visit/answer.ts";
import { type Account, pageIn } from "./account.ts";

export const linkPath = "/ui/account/methods/link";
export const linkAnswerPath = `${linkPath}/answer`;

/** Where a person begins to link an account at a provider with his own. */
export const linkPage = (account: Pick<Account, "session">, provider: { readonly identityProviderId: string }): Href =>
  pageIn(account, linkPath, { provider: provider.identityProviderId });

/** Where that stands, once the provider answered; the page finds whose account it is. */
export const linkAnswerPage = (intent: string): Href => pathTo(linkAnswerPath, { intent });
