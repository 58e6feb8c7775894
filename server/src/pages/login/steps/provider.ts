import { startHostedIntent } from "../../../domain/identity-provider-intent/index.ts";
import { seeOther } from "../../visit/answer.ts";
import type { FormHandler } from "../../visit/handlers.ts";
import { externalPage } from "./external.ts";
import { type Flow, findFlow, inFlow, isFlow } from "./flow.ts";
import { offeredProviders } from "./offered-providers.ts";

/** `/ui/login/provider`: sends the browser to a provider, from where it comes back to the same login. */
export const takeProvider: FormHandler = async (deps, visit, form) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const wanted = form.get("provider") ?? "";
  const provider = (await offeredProviders(deps, flow)).find((each) => each.identityProviderId === wanted);
  if (provider === undefined) return seeOther(inFlow(flow, "/ui/login", { account: "other" }));
  const { parameters } = flow.steps.authRequest ?? {};
  const started = await startHostedIntent(deps, visit.call, {
    ...{ provider, origin: visit.request.instance.origin, browser: browserOf(flow) },
    loginHint: parameters?.loginHint,
    prompt: (["login", "select_account"] as const).find((prompt) => parameters?.prompt.includes(prompt)),
    uiLocales: parameters?.uiLocales ?? [],
  });
  return seeOther(started.url ?? externalPage(flow, started.intentId));
};

const browserOf = ({ steps: { browserHash }, authRequestId, deviceId: deviceAuthorizationId, goal }: Flow) => ({
  ...{ browserHash, authRequestId, deviceAuthorizationId, goal },
});
