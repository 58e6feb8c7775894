import { findIdentityProvider, type IdentityProvider } from "../../../domain/identity-provider/index.ts";
import {
  type AnswerOutcome,
  findHostedIntent,
  type IdentityIntent,
  openIdentity,
  openInvitationCode,
  refuseLinkedIdentity,
} from "../../../domain/identity-provider-intent/index.ts";
import { linkOwnAccount } from "../../../domain/identity-provider-sign-in/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther } from "../../visit/answer.ts";
import type { Visit } from "../../visit/visit.ts";
import { accountLinkPage } from "../views/link.ts";
import { type Account, pageIn } from "./account.ts";
import { drawLinking } from "./draw-linking.ts";
import { accountPaths } from "./frame.ts";
import { accountPage, toNews } from "./handlers.ts";
import { linkAnswerPage, linkAnswerPath } from "./link-address.ts";
import { showAccount } from "./show-account.ts";

/** Takes the answer of a provider for a person who wants to link his account there. One that is linked already is refused, whoever's it is. */
export async function goOnLinking(
  deps: PageDeps,
  { call }: Visit,
  answer: Exclude<AnswerOutcome, { outcome: "stale" }>,
): Promise<WebResponse> {
  await refuseLinkedIdentity(deps, call, answer);
  return seeOther(linkAnswerPage(answer.intent.intentId));
}

const goal = "account-methods-list";

/**
 * `/ui/account/methods/link/answer`: asks whether the account that signed in at the provider shall be linked, or tells why it cannot. The press that
 * links demands a fresh authentication, like every change of a way in.
 */
export const linkAnswerPages = [
  accountPage({
    path: linkAnswerPath,
    goal,
    get: async (deps, account) => {
      const found = await findLinking(deps, account);
      if (found === undefined) return seeOther(elsewhere(account));
      const { intent, provider } = found;
      if (intent.linkUserId !== account.user.userId) return seeOther(ofOther(account, intent));
      if (intent.state === "consumed") return toNews(account, accountPaths.methods, "method_added");
      return intent.state === "succeeded" && provider.state === "active"
        ? drawQuestion(deps, account, found)
        : drawFailure(deps, account, found);
    },
  }),
  accountPage({
    path: linkAnswerPath,
    goal: "account-methods",
    post: async (deps, account) => {
      const found = await findLinking(deps, account);
      if (found === undefined) return seeOther(elsewhere(account));
      const { intent, provider } = found;
      const { user, call, visit } = account;
      const here = pageIn(account, linkAnswerPath, { intent: intent.intentId });
      if (intent.state !== "succeeded" || intent.linkUserId !== user.userId) return seeOther(here);
      const identity = openIdentity(deps.vault, call.instanceId, intent);
      const attempt = { intentId: intent.intentId, provider, identity };
      const outcome = await linkOwnAccount(deps, call, { attempt, user, browserHash: visit.browser.hash });
      return outcome === "linked" ? toNews(account, accountPaths.methods, "method_added") : seeOther(here);
    },
  }),
];

interface Linking {
  readonly intent: IdentityIntent;
  readonly provider: IdentityProvider;
}

/** What the address names, if this browser began it for linking. */
async function findLinking({ database, vault }: PageDeps, { call, visit }: Account): Promise<Linking | undefined> {
  const key = { intentId: visit.query.get("intent") ?? "", browserHash: visit.browser.hash };
  const intent = await findHostedIntent(database.read, call.instanceId, key, call.now);
  if (intent === undefined || intent.linkUserId === null || intent.state === "started") return undefined;
  // One that is to accept an invitation is nobody's who is signed in.
  if (openInvitationCode(vault, call.instanceId, intent) !== undefined) return undefined;
  const provider = await findIdentityProvider(database.read, call.instanceId, intent.identityProviderId);
  return provider && { intent, provider };
}

const elsewhere = (account: Account) => pageIn(account, accountPaths.methods);

/** The same page of the account for which it was begun, when he is still signed in here. */
function ofOther(account: Account, { linkUserId, intentId }: IdentityIntent) {
  const other = account.others.find(({ session }) => session.userId === linkUserId);
  return other === undefined ? elsewhere(account) : pageIn(other, linkAnswerPath, { intent: intentId });
}

const drawQuestion = (deps: PageDeps, account: Account, { intent, provider }: Linking): Promise<WebResponse> =>
  showAccount(deps, account, "methods", (context, frame) =>
    accountLinkPage(context, {
      ...frame,
      ...{ providerName: provider.name, username: intent.externalUsername ?? "" },
      action: pageIn(account, linkAnswerPath, { intent: intent.intentId }),
      backHref: elsewhere(account),
    }),
  );

const drawFailure = (deps: PageDeps, account: Account, { intent, provider }: Linking): Promise<WebResponse> =>
  drawLinking(deps, account, { provider, problem: intent.failure ?? "identity_intent.provider_unusable" });
