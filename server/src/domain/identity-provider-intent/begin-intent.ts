import { Fault } from "../../base/fault.ts";
import { parseWebAddress } from "../../base/names/web-address.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { findIdentityProvider, type IdentityProvider, offersProvider } from "../identity-provider/index.ts";
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
 * attempt, which tells what the provider said and hands over its tokens. Callers without `session.write` could make
 * others sign in for them. They may therefore name only addresses of the instance and its trusted domains, and only
 * providers that the login offers to their organization; what they begin, they alone may read.
 */
export async function beginIntent(deps: IntentDeps, call: Call, input: BeginIntent): Promise<StartedIntent> {
  const { identityProviderId, origin, successUrl, failureUrl, loginHint } = input;
  const { provider, starter } = await findUsableProvider(deps, call, identityProviderId);
  const mayServe = starter.starterId === undefined;
  const origins = mayServe ? undefined : await listOriginsOfInstance(deps.database.read, call.instanceId, origin);
  const success = readUrl(successUrl, "urls.successUrl", origins);
  const failure = readUrl(failureUrl, "urls.failureUrl", origins);
  return startIntent(deps, call, { provider, origin, loginHint, urls: { success, failure }, ...starter });
}

/** The provider of an attempt, and the user who alone may read what comes of it, if it is the caller's own. */
interface UsableProvider {
  readonly provider: IdentityProvider;
  readonly starter: { readonly starterId?: string };
}

/** Returns the active provider that the caller may begin an attempt with. */
export async function findUsableProvider(
  deps: IntentDeps,
  call: Call,
  identityProviderId: string,
): Promise<UsableProvider> {
  const { access, userId } = requireCaller(call);
  const provider = await findIdentityProvider(deps.database.read, call.instanceId, identityProviderId);
  if (provider === undefined) throw unknownProvider();
  const owner = provider.ownerOrganizationId;
  const mayServe = access.allows("session.write", owner === "" ? {} : { organizationId: owner });
  if (!mayServe && !(await isOfferedToCaller(deps, call, provider))) throw unknownProvider();
  if (provider.state !== "active") throw providerUnusable("idpId");
  return { provider, starter: mayServe ? {} : { starterId: userId } };
}

const unknownProvider = (): Fault => new Fault("not_found", "identity_intent.provider_not_found", { field: "idpId" });

async function isOfferedToCaller(
  { database }: IntentDeps,
  call: Call,
  { identityProviderId }: IdentityProvider,
): Promise<boolean> {
  const { organizationId } = requireCaller(call);
  return offersProvider(database.read, { instanceId: call.instanceId, organizationId }, identityProviderId);
}

/**
 * Lists the origins of an instance and its trusted domains: scheme and port of its own origin, or https at the default
 * port. A host alone proves nothing: what listens at another port may be an attacker's.
 */
async function listOriginsOfInstance(reader: Reader, instanceId: string, origin: string): Promise<readonly string[]> {
  const { protocol, port } = new URL(origin);
  const own = port === "" ? "" : `:${port}`;
  const hosts = await listHostsOfInstance(reader, instanceId);
  return hosts.flatMap((host) => [`${protocol}//${host}${own}`, `https://${host}`]);
}

function readUrl(text: string, field: string, origins: readonly string[] | undefined): string {
  const url = parseWebAddress(text);
  if (url === undefined) throw new Fault("invalid_argument", "identity_intent.url_invalid", { field });
  if (origins !== undefined && !origins.includes(url.origin)) {
    throw new Fault("permission_denied", "identity_intent.url_foreign", { field });
  }
  return url.href;
}
