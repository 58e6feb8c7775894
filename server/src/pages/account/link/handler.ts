import type { IdentityProvider } from "../../../domain/identity-provider/index.ts";
import { startHostedIntent } from "../../../domain/identity-provider-intent/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther } from "../../visit/answer.ts";
import { type Account, pageIn } from "../parts/account.ts";
import { accountPaths } from "../parts/frame.ts";
import { accountPage } from "../parts/handlers.ts";
import { drawLinking } from "./draw-linking.ts";
import { linkAnswerPage, linkPath } from "./link-address.ts";
import { findLinkableProvider } from "./linkable-providers.ts";

/** `/ui/account/methods/link`: redirects the user to a provider, to link an account there. */
export const linkPages = [
  accountPage({
    path: linkPath,
    goal: "account-methods",
    get: async (deps, account) => {
      const provider = await findWanted(deps, account);
      if (provider === undefined) return seeOther(pageIn(account, accountPaths.methods));
      return drawLinking(deps, account, { provider });
    },
    post: async (deps, account) => {
      const provider = await findWanted(deps, account);
      if (provider === undefined) return seeOther(pageIn(account, accountPaths.methods));
      const { visit, call, user } = account;
      const { url, intentId } = await startHostedIntent(deps, call, {
        provider,
        origin: visit.request.instance.origin,
        uiLocales: [call.language],
        browser: {
          browserHash: visit.browser.hash,
          authRequestId: undefined,
          deviceAuthorizationId: undefined,
          linkUserId: user.userId,
        },
      });
      return seeOther(url ?? linkAnswerPage(intentId));
    },
  }),
];

/** Finds the provider in the address, if its accounts may be linked. */
const findWanted = (deps: PageDeps, account: Account): Promise<IdentityProvider | undefined> =>
  findLinkableProvider(deps, account, account.visit.query.get("provider") ?? "");
