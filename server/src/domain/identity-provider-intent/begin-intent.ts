import { Fault } from "../../base/fault.ts";
import { parseWebAddress } from "../../base/web-address.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import { findIdentityProvider } from "../identity-provider/index.ts";
import { listHostsOfInstance } from "../instance/index.ts";
import { providerUnusable } from "./identity-intent.ts";
import type { IntentDeps } from "./intent-deps.ts";
import { type StartedIntent, startIntent } from "./start-intent.ts";

export interface BeginIntent {
  readonly identityProviderId: string;
  readonly origin: string;
  readonly successUrl: string;
  readonly failureUrl: string;
  readonly loginHint: string | undefined;
}

/**
 * Begins an attempt for an application with a login of its own. The browser returns to it with the token of the
 * attempt. Callers who merely have an account here may therefore name only pages of the instance and its trusted
 * domains: otherwise they could make others sign in for them.
 */
export async function beginIntent(deps: IntentDeps, call: Call, input: BeginIntent): Promise<StartedIntent> {
  const { identityProviderId, origin, successUrl, failureUrl, loginHint } = input;
  const { access } = requireCaller(call);
  const provider = await findIdentityProvider(deps.database.read, call.instanceId, identityProviderId);
  const mayServe = access.positions.some(({ permissions }) => permissions.has("session.write"));
  if (provider === undefined) throw new Fault("not_found", "identity_intent.provider_not_found", { field: "idpId" });
  if (provider.state !== "active") throw providerUnusable("idpId");
  const hosts = mayServe ? undefined : await listHostsOfInstance(deps.database.read, call.instanceId);
  const success = readUrl(successUrl, "urls.successUrl", hosts);
  const failure = readUrl(failureUrl, "urls.failureUrl", hosts);
  return startIntent(deps, call, { provider, origin, loginHint, urls: { success, failure } });
}

function readUrl(text: string, field: string, hosts: readonly string[] | undefined): string {
  const url = parseWebAddress(text);
  if (url === undefined) throw new Fault("invalid_argument", "identity_intent.url_invalid", { field });
  if (hosts !== undefined && !hosts.includes(url.hostname)) {
    throw new Fault("permission_denied", "identity_intent.url_foreign", { field });
  }
  return url.href;
}
