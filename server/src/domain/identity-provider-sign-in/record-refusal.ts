import type { Call } from "../../call/index.ts";
import type { IdentityProvider } from "../identity-provider/index.ts";
import type { BrowserVisit } from "../sign-in/index.ts";
import { type RecordDeps, recordFailedSignIn, type SignInStep } from "../sign-in-attempt/index.ts";

/** An attempt at a provider that signs no user in. */
export interface RefusedAttempt {
  readonly intentId: string;
  readonly provider: Pick<IdentityProvider, "identityProviderId" | "ownerOrganizationId">;
  /** Slug of the reason. */
  readonly failure: string;
  readonly user?: { readonly userId: string; readonly organizationId: string } | undefined;
}

/** Records why an attempt at a provider failed. The page about it shows the id of the attempt as its reference. */
export function recordRefusal(
  deps: RecordDeps,
  call: Call,
  { authRequest, userAgent }: Pick<BrowserVisit, "authRequest" | "userAgent">,
  { intentId, provider, failure, user }: RefusedAttempt,
): Promise<void> {
  const { identityProviderId, ownerOrganizationId } = provider;
  const answered: SignInStep = { check: "identity_provider", outcome: "passed", identityProviderId };
  const why = { ...(reasons[failure] ?? other(failure)), ...(atProvider(failure) && { identityProviderId }) };
  return recordFailedSignIn(deps, call, {
    attemptId: intentId,
    user,
    organizationId: ownerOrganizationId || undefined,
    clientId: authRequest?.clientId,
    userAgent,
    steps: atProvider(failure) ? [why] : [answered, why],
    reference: intentId,
  });
}

const atProvider = (failure: string): boolean => failure.startsWith("identity_intent.");

const other = (failure: string): SignInStep =>
  atProvider(failure)
    ? { check: "identity_provider", outcome: "failed" }
    : { check: "registration", outcome: "refused" };

const reasons: Readonly<Record<string, SignInStep>> = {
  "identity_intent.denied": { check: "identity_provider", outcome: "canceled" },
  "identity_intent.provider_unusable": {
    check: "identity_provider",
    outcome: "not_allowed",
    setting: "provider_state",
  },
  "identity_link.provider_not_trusted": {
    check: "identity_provider",
    outcome: "not_allowed",
    setting: "provider_state",
  },
  "identity_sign_in.user_inactive": { check: "name", outcome: "not_allowed", setting: "user_state" },
  "identity_sign_in.account_unknown": {
    check: "registration",
    outcome: "not_allowed",
    setting: "provider_creation",
  },
  "identity_link.creation_not_allowed": {
    check: "registration",
    outcome: "not_allowed",
    setting: "provider_creation",
  },
  "identity_link.linking_not_allowed": {
    check: "registration",
    outcome: "not_allowed",
    setting: "provider_linking",
  },
  "sign_up.closed": { check: "registration", outcome: "not_allowed", setting: "allow_register" },
  "sign_in.other_account_expected": { check: "name", outcome: "other_account" },
  "sign_in.ended": { check: "request", outcome: "expired" },
  "execution.failed": { check: "script", outcome: "refused" },
};
