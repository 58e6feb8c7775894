import { findIdentityProvider } from "../../../domain/identity-provider/index.ts";
import type { AnswerOutcome } from "../../../domain/identity-provider-intent/index.ts";
import { recordRefusal, signInExternally } from "../../../domain/identity-provider-sign-in/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther } from "../../visit/answer.ts";
import type { Visit } from "../../visit/visit.ts";
import { findFlow, isFlow } from "../flow/flow.ts";
import { redirectForOutcome } from "../flow/redirect-for-outcome.ts";
import { externalPage } from "../provider-attempt/external-address.ts";
import { toAttempt } from "../provider-attempt/external-attempt.ts";
import { rememberProvider } from "../provider-attempt/last-provider.ts";

/** Continues the login of a browser that returns from a provider. */
export async function goOn(
  deps: PageDeps,
  visit: Visit,
  answer: Exclude<AnswerOutcome, { outcome: "stale" }>,
): Promise<WebResponse> {
  const { intentId, authRequestId, deviceAuthorizationId, goal, organizationId } = answer.intent;
  const query = new URLSearchParams();
  if (authRequestId !== null) query.set("authRequest", authRequestId);
  if (deviceAuthorizationId !== null) query.set("device", deviceAuthorizationId);
  if (organizationId !== null) query.set("organization", organizationId);
  if (goal !== null) query.set("goal", goal);
  const flow = await findFlow(deps, { ...visit, query });
  if (!isFlow(flow)) return flow;
  if (answer.outcome === "failed") {
    const failure = `identity_intent.${answer.failure}`;
    const provider = await findIdentityProvider(
      deps.database.read,
      visit.call.instanceId,
      answer.intent.identityProviderId,
    );
    if (provider !== undefined) await recordRefusal(deps, visit.call, flow.steps, { intentId, provider, failure });
    return seeOther(externalPage(flow, intentId));
  }
  const attempt = await toAttempt(deps, flow, answer);
  const outcome = await signInExternally(deps, flow.visit.call, flow.steps, attempt);
  const isSettled = outcome.outcome !== "choice" && outcome.outcome !== "refused";
  if (!isSettled) return seeOther(externalPage(flow, intentId));
  const response = await redirectForOutcome(deps, flow, outcome);
  const { identityProviderId } = attempt.provider;
  return outcome.outcome === "gone" ? response : rememberProvider(response, visit.request, identityProviderId);
}
