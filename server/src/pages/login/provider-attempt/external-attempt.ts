import { findIdentityProvider, type IdentityProvider } from "../../../domain/identity-provider/index.ts";
import {
  answeredAt,
  findHostedIntent,
  type IdentityIntent,
  isOpenAt,
  openIdentity,
} from "../../../domain/identity-provider-intent/index.ts";
import type { ExternalAttempt } from "../../../domain/identity-provider-sign-in/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Flow } from "../flow/flow.ts";
import { confirmTemplate, signInAddress } from "../register/register-addresses.ts";
import { verifyEmailTemplate } from "../verify-contact/handler.ts";

/** Converts the provider's answer to an attempt of this login. */
export async function toAttempt(
  deps: PageDeps,
  flow: Flow,
  { intent, provider, identity }: { readonly intent: IdentityIntent } & Pick<ExternalAttempt, "provider" | "identity">,
): Promise<ExternalAttempt> {
  const { visit, client } = flow;
  const instance = await deps.findInstanceById(visit.call.instanceId);
  return {
    intentId: intent.intentId,
    provider,
    identity,
    answeredAt: answeredAt(intent),
    defaultOrganizationId: instance?.defaultOrganizationId ?? "",
    applicationName: client?.name,
    urlTemplate: verifyEmailTemplate(visit),
    confirmTemplate: confirmTemplate(flow),
    signInAddress: signInAddress(flow),
  };
}

/** An attempt of this browser, for the request of the login. */
export interface FoundIntent {
  readonly intent: IdentityIntent;
  /** Undefined once it was removed. */
  readonly provider: IdentityProvider | undefined;
}

/**
 * Finds the attempt of a page; undefined for one of another browser or request, for an expired one, and for one that is
 * not a sign-in.
 */
export async function findIntent(deps: PageDeps, flow: Flow, intentId: string): Promise<FoundIntent | undefined> {
  const { read } = deps.database;
  const { instanceId, now } = flow.visit.call;
  const key = { intentId, browserHash: flow.steps.browserHash };
  const intent = await findHostedIntent(read, instanceId, key, now);
  if (intent === undefined || intent.linkUserId !== null) return undefined;
  if (intent.authRequestId !== (flow.authRequestId ?? null)) return undefined;
  return { intent, provider: await findIdentityProvider(read, instanceId, intent.identityProviderId) };
}

/** Returns the attempt if it is still usable: successful, not consumed, and its provider active. */
export async function findOpenAttempt(
  deps: PageDeps,
  flow: Flow,
  intentId: string,
): Promise<ExternalAttempt | undefined> {
  const found = await findIntent(deps, flow, intentId);
  return found && openAttempt(deps, flow, found);
}

/** Returns the provider's answer in an attempt that is still open. */
export async function openAttempt(
  deps: PageDeps,
  flow: Flow,
  { intent, provider }: FoundIntent,
): Promise<ExternalAttempt | undefined> {
  if (intent.state !== "succeeded" || provider === undefined || !isOpenAt(provider, intent)) return undefined;
  const identity = openIdentity(deps.vault, flow.visit.call.instanceId, intent);
  return toAttempt(deps, flow, { intent, provider, identity });
}
