import { startHostedIntent } from "../../../domain/identity-provider-intent/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther } from "../../visit/answer.ts";
import { type FormHandler, withSecret } from "../../visit/handlers.ts";
import { type Flow, findFlow, inFlow, isFlow } from "../flow/flow.ts";
import { externalPage } from "../provider-attempt/external-address.ts";
import { findChosenProvider } from "../provider-attempt/offered-providers.ts";

/** `/ui/login/provider`: redirects the browser to a provider, which returns it to the same login. */
export const takeProvider: FormHandler = async (deps, visit, form) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  return sendToProvider(deps, flow, form.get("provider") ?? "");
};

/**
 * Redirects the browser to a provider that the login offers, with the application's hint about the user, or the entered
 * name.
 */
export async function sendToProvider(
  deps: PageDeps,
  flow: Flow,
  identityProviderId: string,
  loginName?: string,
): Promise<WebResponse> {
  const provider = await findChosenProvider(deps, flow, identityProviderId);
  if (provider === undefined) return seeOther(inFlow(flow, "/ui/login", { account: "other" }));
  const { visit, steps } = flow;
  const { parameters } = steps.authRequest ?? {};
  const started = await startHostedIntent(deps, visit.call, {
    provider,
    origin: visit.request.instance.origin,
    browser: browserOf(flow),
    loginHint: loginName ?? parameters?.loginHint,
    prompt: (["login", "select_account"] as const).find((prompt) => parameters?.prompt.includes(prompt)),
    maxAgeSeconds: parameters?.maxAge ?? (steps.maxAge === undefined ? undefined : steps.maxAge / 1000),
    uiLocales: parameters?.uiLocales ?? [],
  });
  const { isKnown, browser } = visit;
  return seeOther(
    started.url ?? externalPage(flow, started.intentId),
    withSecret(visit, isKnown ? undefined : browser),
  );
}

const browserOf = ({ steps, authRequestId, deviceId: deviceAuthorizationId, goal, organizationId }: Flow) => ({
  browserHash: steps.browserHash,
  authRequestId,
  deviceAuthorizationId,
  goal,
  organizationId,
});
