import { createHash } from "node:crypto";
import { Fault } from "../../base/fault.ts";
import { generateSecret, hashSecret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { IdentityProvider } from "../identity-provider/index.ts";
import { createProviderClient, ProviderRefused } from "../identity-provider-client/index.ts";
import { insertIntent } from "./identity-intent.store.ts";
import { intentAggregate, intentContext, type SealedRequest, timeAtProvider } from "./identity-intent.ts";
import type { IntentDeps } from "./intent-deps.ts";

export interface StartIntent {
  readonly provider: IdentityProvider;
  /** Public origin of the instance: the provider sends the browser back there. */
  readonly origin: string;
  readonly loginHint?: string | undefined;
  /** Where an application wants the browser to be sent afterwards. */
  readonly urls?: { readonly success: string; readonly failure: string };
  /** The browser on our own pages, and what it signs in for. */
  readonly browser?: {
    readonly browserHash: string;
    readonly authRequestId: string | undefined;
    readonly deviceAuthorizationId: string | undefined;
  };
  /** The person has to be authenticated at the provider anew. */
  readonly isFresh?: boolean;
}

export interface StartedIntent {
  readonly intentId: string;
  /** Where the browser is to be sent. */
  readonly url: string;
}

/** Step without permissions: begins an attempt at an active provider. What is asked of the provider is asked before the unit of work. */
export async function startIntent(deps: IntentDeps, call: Call, input: StartIntent): Promise<StartedIntent> {
  const { provider, origin, loginHint, urls, browser, isFresh } = input;
  const [state, nonce, codeVerifier] = [deps.random, deps.random, deps.random].map(generateSecret);
  if (state === undefined || nonce === undefined || codeVerifier === undefined) throw new Error("no randomness");
  const redirectUri = `${origin}/idps/callback`;
  const begun = await begin(deps, provider, {
    ...{ instanceId: call.instanceId, now: call.now, redirectUri, loginHint, isFresh, origin },
    ...{ state: state.reveal(), nonce: nonce.reveal(), codeChallenge: challengeOf(codeVerifier.reveal()) },
  });
  const intentId = deps.newId();
  const kept: SealedRequest = {
    nonce: nonce.reveal(),
    ...(begun.hasChallenge && { codeVerifier: codeVerifier.reveal() }),
  };
  const sealedRequest = deps.vault.encrypt(JSON.stringify(kept), intentContext(call.instanceId, intentId, "request"));
  const { identityProviderId } = provider;
  await deps.database.change(call, async (tx) => {
    insertIntent(tx, {
      ...{ intentId, identityProviderId, redirectUri, sealedRequest, stateHash: hashSecret(state) },
      ...{
        browserHash: browser?.browserHash,
        authRequestId: browser?.authRequestId,
        deviceAuthorizationId: browser?.deviceAuthorizationId,
      },
      ...{ successUrl: urls?.success, failureUrl: urls?.failure, expiresAt: call.now + timeAtProvider },
    });
    const payload = { idpId: identityProviderId, successURL: urls?.success, failureURL: urls?.failure };
    tx.record({ type: "idpintent.started", ...intentAggregate(intentId, tx.instanceId), sequence: 1, payload });
  });
  return { intentId, url: begun.url };
}

// RFC 7636 §4.2.
const challengeOf = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url");

async function begin(
  deps: IntentDeps,
  provider: IdentityProvider,
  { origin, ...request }: Parameters<ReturnType<typeof createProviderClient>["begin"]>[0] & { origin: string },
) {
  try {
    return await createProviderClient(deps, provider, origin).begin(request);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    throw new Fault("failed_precondition", "identity_intent.provider_unreachable", { field: "idpId", cause: error });
  }
}
