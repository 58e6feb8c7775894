import type { AnswerOutcome } from "../../../domain/identity-provider-intent/index.ts";
import { signInExternally } from "../../../domain/identity-provider-sign-in/index.ts";
import { stay, unnamed } from "../../../domain/sign-in/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Visit } from "../../visit/visit.ts";
import { arrive } from "./arrive.ts";
import { findFlow, isFlow } from "./flow.ts";
import { verifyEmailTemplate } from "./verify-email.ts";

/** Goes on with the login that sent a browser to a provider, now that it is back. */
export async function goOn(
  deps: PageDeps,
  visit: Visit,
  answer: Exclude<AnswerOutcome, { outcome: "unknown" }>,
): Promise<WebResponse> {
  const { authRequestId, deviceAuthorizationId } = answer.intent;
  const query = new URLSearchParams();
  if (authRequestId !== null) query.set("authRequest", authRequestId);
  if (deviceAuthorizationId !== null) query.set("device", deviceAuthorizationId);
  const flow = await findFlow(deps, { ...visit, query });
  if (!isFlow(flow)) return flow;
  const { call } = flow.visit;
  if (answer.outcome === "failed") {
    const problem = { id: `identity_intent.${answer.failure}` };
    return arrive(deps, flow, await stay(deps, call, flow.steps, { at: unnamed, problem }));
  }
  const { intent, provider, identity, token } = answer;
  const instance = await deps.findInstanceById(call.instanceId);
  const outcome = await signInExternally(deps, call, flow.steps, {
    ...{ intentId: intent.intentId, provider, identity, token },
    defaultOrganizationId: instance?.defaultOrganizationId ?? "",
    applicationName: flow.client?.name,
    urlTemplate: verifyEmailTemplate(visit),
  });
  return arrive(deps, flow, outcome);
}
