import { readConsentPolicy } from "../../authority/index.ts";
import type { Call } from "../../call/index.ts";
import type { OAuthDeps } from "../deps.ts";
import type { GrantContext } from "./grant.ts";

/** Returns the context in which tokens are issued, at the token endpoint and by the authorization endpoint. */
export async function createContext(
  deps: OAuthDeps,
  call: Call,
  { issuer, dpopThumbprint }: Pick<GrantContext, "issuer" | "dpopThumbprint">,
): Promise<GrantContext> {
  const { instanceId } = call;
  const systemProjectId = await deps.systemProjectIdOf(instanceId);
  const { settings: lifetimes } = await deps.settings.get("oidc", { instanceId });
  const consent = await readConsentPolicy(deps, call);
  return { deps, call, issuer, systemProjectId, lifetimes, consent, dpopThumbprint };
}
