import { Fault } from "../../../base/fault.ts";
import { type IdentityProvider, listActiveIdentityProviders } from "../../../domain/identity-provider/index.ts";
import { startIntent } from "../../../domain/identity-provider-intent/index.ts";
import { stay, unnamed } from "../../../domain/sign-in/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther } from "../../visit/answer.ts";
import type { FormHandler } from "../../visit/handlers.ts";
import { arrive } from "./arrive.ts";
import { type Flow, findFlow, inFlow, isFlow } from "./flow.ts";

/** The providers that a login offers: those of the organization that the request is for, else of the instance. */
export const offeredProviders = (deps: PageDeps, { visit, steps }: Flow): Promise<readonly IdentityProvider[]> =>
  listActiveIdentityProviders(deps.database.read, {
    instanceId: visit.call.instanceId,
    organizationId: steps.authRequest?.parameters.organizationId,
  });

/** `/ui/login/provider`: sends the browser to a provider, from where it comes back to the same login. */
export const takeProvider: FormHandler = async (deps, visit, form) => {
  const flow = await findFlow(deps, visit);
  if (!isFlow(flow)) return flow;
  const wanted = form.get("provider") ?? "";
  const provider = (await offeredProviders(deps, flow)).find((each) => each.identityProviderId === wanted);
  if (provider === undefined) return seeOther(inFlow(flow, "/ui/login", { account: "other" }));
  const { steps, authRequestId, deviceId } = flow;
  try {
    const { url } = await startIntent(deps, visit.call, {
      ...{ provider, origin: visit.request.instance.origin },
      loginHint: steps.authRequest?.parameters.loginHint,
      isFresh: steps.authRequest?.parameters.prompt.includes("login") === true,
      browser: { browserHash: steps.browserHash, authRequestId, deviceAuthorizationId: deviceId },
    });
    return seeOther(url);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return arrive(deps, flow, await stay(deps, visit.call, steps, { at: unnamed, problem: { id: error.id } }));
  }
};
