import { Fault } from "../../../base/fault.ts";
import { Secret } from "../../../base/secret.ts";
import { mayPrepareFor } from "../../../domain/administrator-access/index.ts";
import { checkCode } from "../../../domain/contact/index.ts";
import { findIdentityProvider, type IdentityProvider } from "../../../domain/identity-provider/index.ts";
import {
  type AnswerOutcome,
  findHostedIntent,
  type IdentityIntent,
  isOpenAt,
  openIdentity,
  openInvitationCode,
  refuseIntent,
  refuseLinkedIdentity,
  startHostedIntent,
} from "../../../domain/identity-provider-intent/index.ts";
import { acceptInvitationExternally } from "../../../domain/identity-provider-sign-in/index.ts";
import { findUser } from "../../../domain/user/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo, seeOther, show } from "../../visit/answer.ts";
import type { PageAt } from "../../visit/handlers.ts";
import { inLookOf, type Visit } from "../../visit/visit.ts";
import { externalLinkPage } from "../external-link/view.ts";
import { externalOutcomePage } from "../external-outcome/view.ts";
import {
  invitationPath,
  invitationProviderPage,
  invitationProviderPath as path,
} from "../password-code/invitation-address.ts";
import { findChosenProvider } from "../password-code/invitation-methods.ts";
import { drawInvitation, drawPasswordCode, toPasswordCodeProblem } from "../password-code/show-password-code.ts";

interface Leaving {
  readonly userId: string;
  readonly code: string;
  readonly identityProviderId: string;
}

/** Redirects the browser to a provider after a correct code; the code is consumed when it returns. */
export async function leaveForProvider(
  deps: PageDeps,
  visit: Visit,
  { userId, code, identityProviderId }: Leaving,
): Promise<WebResponse> {
  const { call, request, browser } = visit;
  try {
    const user = await checkCode({ ...deps, mayPrepareFor }, call, { userId, kind: "invitation", code });
    const provider = await findChosenProvider(deps, visit, { user, identityProviderId });
    if (provider === undefined) throw new Fault("failed_precondition", "identity_intent.provider_unusable");
    const { url, intentId } = await startHostedIntent(deps, call, {
      provider,
      origin: request.instance.origin,
      loginHint: user.email.address,
      uiLocales: [call.language],
      browser: {
        browserHash: browser.hash,
        authRequestId: undefined,
        deviceAuthorizationId: undefined,
        linkUserId: userId,
        invitationCode: new Secret(code),
      },
    });
    return seeOther(url ?? invitationProviderPage(intentId));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const isOfProvider = error.id === "identity_intent.provider_unusable";
    const problem = isOfProvider ? { id: error.id } : toPasswordCodeProblem(error);
    return drawInvitation(deps, visit, { userId, code, problem });
  }
}

/**
 * Processes a provider's answer for a user who accepts an invitation. Refuses an account that is already linked, to any
 * user.
 */
export async function goOnInviting(
  deps: PageDeps,
  { call }: Visit,
  answer: Exclude<AnswerOutcome, { outcome: "stale" }>,
): Promise<WebResponse> {
  await refuseLinkedIdentity(deps, call, answer);
  return seeOther(invitationProviderPage(answer.intent.intentId));
}

/** Whether an attempt is for an invitation, and not for linking an account to a signed-in user. */
export const isOfInvitation = (deps: PageDeps, { call }: Visit, intent: IdentityIntent): boolean =>
  openInvitationCode(deps.vault, call.instanceId, intent) !== undefined;

interface Inviting {
  readonly intent: IdentityIntent;
  readonly provider: IdentityProvider | undefined;
  readonly userId: string;
  readonly code: string;
}

/**
 * `/ui/login/invitation/provider`: asks whether to use the account that signed in at the provider, or explains why it
 * cannot be used.
 */
export const invitationProviderPages: readonly PageAt[] = [
  {
    path,
    get: async (deps, visit) => {
      const found = await findInviting(deps, visit);
      if (found === undefined) return seeOther("/ui/login");
      const { intent, provider } = found;
      return intent.state === "succeeded" && provider !== undefined && isOpenAt(provider, intent)
        ? drawQuestion(deps, visit, found)
        : drawOutcome(deps, visit, found);
    },
    post: async (deps, visit, form) => {
      const found = await findInviting(deps, visit);
      if (found === undefined) return seeOther("/ui/login");
      const { intent, provider, userId, code } = found;
      const { intentId, identityProviderId } = intent;
      if (intent.state === "failed") return leaveForProvider(deps, visit, { userId, code, identityProviderId });
      if (intent.state !== "succeeded" || provider === undefined) return seeOther(invitationProviderPage(intentId));
      if (form.get("decision") === "skip") {
        await deps.database.change(visit.call, (tx) => refuseIntent(tx, intentId, "identity_sign_in.link_declined"));
        return drawPasswordCode(deps, visit, { purpose: "invitation", userId, code, problems: [] });
      }
      const identity = openIdentity(deps.vault, visit.call.instanceId, intent);
      const attempt = { intentId, provider, identity };
      await acceptInvitationExternally(deps, visit.call, { attempt, browserHash: visit.browser.hash, code });
      return seeOther(invitationProviderPage(intentId));
    },
  },
];

/** Finds the attempt in the address, if this browser began it for an invitation. */
async function findInviting(deps: PageDeps, visit: Visit): Promise<Inviting | undefined> {
  const { call, query, browser } = visit;
  const { read } = deps.database;
  const key = { intentId: query.get("intent") ?? "", browserHash: browser.hash };
  const intent = await findHostedIntent(read, call.instanceId, key, call.now);
  if (intent === undefined || intent.linkUserId === null || intent.state === "started") return undefined;
  const code = openInvitationCode(deps.vault, call.instanceId, intent);
  if (code === undefined) return undefined;
  const provider = await findIdentityProvider(read, call.instanceId, intent.identityProviderId);
  return { intent, provider, userId: intent.linkUserId, code };
}

async function drawQuestion(deps: PageDeps, visit: Visit, { intent, provider, userId }: Inviting) {
  const user = await findUser(deps.database.read, visit.call.instanceId, userId);
  if (user?.kind !== "human") return seeOther("/ui/login");
  return show(
    deps,
    inLookOf(visit, user.organizationId),
    (context) =>
      externalLinkPage(context, {
        action: invitationProviderPage(intent.intentId),
        providerName: provider?.name ?? "",
        username: intent.externalUsername ?? "",
        account: { displayName: user.displayName, loginName: user.preferredLoginName },
      }),
    { isDecision: true },
  );
}

function drawOutcome(deps: PageDeps, visit: Visit, found: Inviting): Promise<WebResponse> {
  const { intent, provider, userId } = found;
  const isLinked = intent.state === "consumed";
  const failure = intent.failure ?? "identity_intent.provider_unusable";
  return show(deps, visit, (context) =>
    externalOutcomePage(context, {
      end: isLinked ? "linked" : "failed",
      reference: intent.intentId,
      providerName: provider?.name,
      isProviderRemoved: provider === undefined,
      reason: isLinked ? undefined : deps.texts.translate(context.language, `fault.${failure}`),
      continueHref: isLinked ? pathTo("/ui/login") : undefined,
      repeat: { action: invitationProviderPage(intent.intentId), provider: intent.identityProviderId },
      // Without the code, which is in the message: an address never contains the secrets of another page.
      otherHref: pathTo(invitationPath, { user: userId }),
    }),
  );
}
