import type { IdentityProvider } from "../../../domain/identity-provider/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { type Account, pageIn } from "../parts/account.ts";
import { confirmPage } from "../parts/confirm.ts";
import { accountPaths } from "../parts/frame.ts";
import { showAccount } from "../parts/show-account.ts";
import { linkPage } from "./link-address.ts";

/** Renders the page that leads to a provider for linking; `problem` is why the previous attempt failed. */
export const drawLinking = (
  deps: PageDeps,
  account: Account,
  { provider, problem }: { readonly provider: IdentityProvider; readonly problem?: string },
): Promise<WebResponse> =>
  showAccount(
    deps,
    account,
    "methods",
    (context, frame) =>
      confirmPage(context, {
        ...frame,
        title: context.say("account.link_provider", { provider: provider.name }),
        text: context.say("account.link.text"),
        submit: context.say(problem === undefined ? "external.continue" : "external.repeat"),
        action: linkPage(account, provider),
        backHref: pageIn(account, accountPaths.methods),
        ...(problem !== undefined && {
          errors: [{ message: deps.texts.translate(context.language, `fault.${problem}`) }],
        }),
      }),
    { isLeaving: true },
  );
