import { findIdentityProvider, type IdentityProvider } from "../../../domain/identity-provider/index.ts";
import {
  type AnswerOutcome,
  findHostedIntent,
  type IdentityIntent,
  isOpenAt,
  openIdentity,
  openInvitationCode,
  refuseLinkedIdentity,
} from "../../../domain/identity-provider-intent/index.ts";
import { linkOwnAccount } from "../../../domain/identity-provider-sign-in/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther } from "../../visit/answer.ts";
import type { Visit } from "../../visit/visit.ts";
import { type Account, pageIn } from "../parts/account.ts";
import { accountPaths } from "../parts/frame.ts";
import { accountPage, toNews } from "../parts/handlers.ts";
import { showAccount } from "../parts/show-account.ts";
import { drawLinking } from "./draw-linking.ts";
import { linkAnswerPage, linkAnswerPath } from "./link-address.ts";
import { accountLinkPage } from "./view.ts";

/**
 * Processes a provider's answer for a user who links an account there. Refuses an account that is already linked, to
 * any user.
 */
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
 * `/ui/account/methods/link/answer`: asks whether to link the account that signed in at the provider, or explains why
 * it cannot be linked. The form requires a fresh authentication, like every change of a sign-in method.
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
      return intent.state === "succeeded" && isOpenAt(provider, intent)
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

/** Finds the attempt in the address, if this browser began it for linking. */
async function findLinking({ database, vault }: PageDeps, { call, visit }: Account): Promise<Linking | undefined> {
  const key = { intentId: visit.query.get("intent") ?? "", browserHash: visit.browser.hash };
  const intent = await findHostedIntent(database.read, call.instanceId, key, call.now);
  if (intent === undefined || intent.linkUserId === null || intent.state === "started") return undefined;
  // An attempt that accepts an invitation belongs to an invited user, not to a signed-in one.
  if (openInvitationCode(vault, call.instanceId, intent) !== undefined) return undefined;
  const provider = await findIdentityProvider(database.read, call.instanceId, intent.identityProviderId);
  return provider && { intent, provider };
}

const elsewhere = (account: Account) => pageIn(account, accountPaths.methods);

/** Returns the same page of the account that began the attempt, when it is still signed in here. */
function ofOther(account: Account, { linkUserId, intentId }: IdentityIntent) {
  const other = account.others.find(({ session }) => session.userId === linkUserId);
  return other === undefined ? elsewhere(account) : pageIn(other, linkAnswerPath, { intent: intentId });
}

const drawQuestion = (deps: PageDeps, account: Account, { intent, provider }: Linking): Promise<WebResponse> =>
  showAccount(deps, account, "methods", (context, frame) =>
    accountLinkPage(context, {
      ...frame,
      providerName: provider.name,
      username: intent.externalUsername ?? "",
      action: pageIn(account, linkAnswerPath, { intent: intent.intentId }),
      backHref: elsewhere(account),
    }),
  );

const drawFailure = (deps: PageDeps, account: Account, { intent, provider }: Linking): Promise<WebResponse> =>
  drawLinking(deps, account, { provider, problem: intent.failure ?? "identity_intent.provider_unusable" });
