import type { Href } from "../../../html/index.ts";
import { pathTo } from "../../visit/answer.ts";
import { type Account, pageIn } from "../parts/account.ts";

export const linkPath = "/ui/account/methods/link";
export const linkAnswerPath = `${linkPath}/answer`;

/** Returns the address where a user begins to link an account at a provider. */
export const linkPage = (account: Pick<Account, "session">, provider: { readonly identityProviderId: string }): Href =>
  pageIn(account, linkPath, { provider: provider.identityProviderId });

/** Returns the address after the provider's answer; the page finds the user's account. */
export const linkAnswerPage = (intent: string): Href => pathTo(linkAnswerPath, { intent });
