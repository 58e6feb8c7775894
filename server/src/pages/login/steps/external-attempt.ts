import { findIdentityProvider, type IdentityProvider } from "../../../domain/identity-provider/index.ts";
import { findHostedIntent, type IdentityIntent, openIdentity } from "../../../domain/identity-provider-intent/index.ts";
import type { ExternalAttempt } from "../../../domain/identity-provider-sign-in/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Flow } from "./flow.ts";
import { confirmTemplate, signInAddress } from "./register-addresses.ts";
import { verifyEmailTemplate } from "./verify-email.ts";

/** What the provider said, with what this login adds. */
export async function toAttempt(
  deps: PageDeps,
  flow: Flow,
  { intent, provider, identity }: { readonly intent: IdentityIntent } & Pick<ExternalAttempt, "provider" | "identity">,
): Promise<ExternalAttempt> {
  const { visit, client } = flow;
  const instance = await deps.findInstanceById(visit.call.instanceId);
  return {
    ...{ intentId: intent.intentId, provider, identity },
    defaultOrganizationId: instance?.defaultOrganizationId ?? "",
    applicationName: client?.name,
    urlTemplate: verifyEmailTemplate(visit),
    confirmTemplate: confirmTemplate(flow),
    signInAddress: signInAddress(flow),
  };
}

/** An attempt of the browser, for the request that the login is about. */
export interface FoundIntent {
  readonly intent: IdentityIntent;
  /** Undefined once it was removed. */
  readonly provider: IdentityProvider | undefined;
}

/** The attempt that a page is about; undefined for one of another browser or request, for one that is too old, and for one that is no sign-in. */
export async function findIntent(deps: PageDeps, flow: Flow, intentId: string): Promise<FoundIntent | undefined> {
  const { read } = deps.database;
  const { instanceId, now } = flow.visit.call;
  const key = { intentId, browserHash: flow.steps.browserHash };
  const intent = await findHostedIntent(read, instanceId, key, now);
  if (intent === undefined || intent.linkUserId !== null) return undefined;
  if (intent.authRequestId !== (flow.authRequestId ?? null)) return undefined;
  return { intent, provider: await findIdentityProvider(read, instanceId, intent.identityProviderId) };
}

/** The attempt as the person may still use it: it succeeded, nobody used it up, and the provider is active. */
export async function findOpenAttempt(
  deps: PageDeps,
  flow: Flow,
  intentId: string,
): Promise<ExternalAttempt | undefined> {
  const found = await findIntent(deps, flow, intentId);
  return found && openAttempt(deps, flow, found);
}

/** What the provider said in an attempt that is still open. */
export async function openAttempt(
  deps: PageDeps,
  flow: Flow,
  { intent, provider }: FoundIntent,
): Promise<ExternalAttempt | undefined> {
  if (intent.state !== "succeeded" || provider?.state !== "active") return undefined;
  const identity = openIdentity(deps.vault, flow.visit.call.instanceId, intent);
  return toAttempt(deps, flow, { intent, provider, identity });
}
