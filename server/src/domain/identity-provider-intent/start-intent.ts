import { createHash } from "node:crypto";
import type { Instant } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { generateSecret, hashSecret, type Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import { type IdentityProvider, protocolOf } from "../identity-provider/index.ts";
import {
  type BegunSignIn,
  createProviderClient,
  type ProviderPrompt,
  ProviderRefused,
  samlAddressesOf,
} from "../identity-provider-client/index.ts";
import { findIntentOfState, insertIntent } from "./identity-intent.store.ts";
import {
  type IdentityIntent,
  intentAggregate,
  intentContext,
  type ProviderForm,
  type SealedRequest,
  timeAtProvider,
} from "./identity-intent.ts";
import type { IntentDeps } from "./intent-deps.ts";

export interface StartIntent {
  readonly provider: IdentityProvider;
  /** Public origin of the instance, to which the provider sends the browser back. */
  readonly origin: string;
  readonly loginHint?: string | undefined;
  /** Where the application wants the browser to be sent afterwards. */
  readonly urls?: { readonly success: string; readonly failure: string };
  /** The user who alone may read what comes of it; any caller with the token when not given. */
  readonly starterId?: string;
  /** The browser on our own pages, and the purpose of the sign-in. */
  readonly browser?: {
    readonly browserHash: string;
    readonly authRequestId: string | undefined;
    readonly deviceAuthorizationId: string | undefined;
    readonly goal?: string | undefined;
    readonly organizationId?: string | undefined;
    /** The user who wants to link the account: then this is not a sign-in. */
    readonly linkUserId?: string | undefined;
    /** Proves the invitation, when the attempt is to accept one. */
    readonly invitationCode?: Secret;
  };
  /** Whether the user must authenticate there again, or choose an account. */
  readonly prompt?: ProviderPrompt | undefined;
  /** Maximum age in seconds of the authentication there. */
  readonly maxAgeSeconds?: number | undefined;
  /** Languages of the user, best first (OpenID Connect Core §3.1.2.1, `ui_locales`). */
  readonly uiLocales?: readonly string[];
}

export interface StartedIntent {
  readonly intentId: string;
  /** Where the browser is to be sent; with a form, where it posts it. */
  readonly url: string;
  /** Fields of the form that the browser posts there; it is redirected when absent. */
  readonly form?: ProviderForm["fields"] | undefined;
}

/**
 * An attempt of our own pages that ended before the browser was sent away: the provider does not respond, or does not
 * match its configuration.
 */
export interface UnstartedIntent {
  readonly intentId: string;
  readonly url: undefined;
}

/**
 * Step without permissions: begins an attempt at an active provider. Requests to the provider are sent before the unit
 * of work. Throws a Fault for an application when the provider does not respond.
 */
export async function startIntent(deps: IntentDeps, call: Call, input: StartIntent): Promise<StartedIntent> {
  const begun = await begin(deps, call, input);
  if (begun.refused !== undefined) {
    const { refused: cause } = begun;
    throw new Fault("failed_precondition", "identity_intent.provider_unreachable", { field: "idpId", cause });
  }
  const intentId = await write(deps, call, input, begun);
  return { intentId, url: begun.url, form: begun.form };
}

/**
 * Step: begins an attempt that is answered at once, by credentials. Its state is told to no browser.
 */
export async function startAnsweredIntent(deps: IntentDeps, call: Call, input: StartIntent): Promise<IdentityIntent> {
  const begun = await begin(deps, call, input);
  await write(deps, call, input, begun);
  const started = await findIntentOfState(deps.database.read, call.instanceId, hashSecret(begun.state));
  if (started === undefined) throw new Error("the attempt was removed at once");
  return started;
}

/**
 * Step: the same for a browser on our own pages. A provider that does not respond leaves a failed attempt, which a page
 * explains.
 */
export async function startHostedIntent(
  deps: IntentDeps,
  call: Call,
  input: StartIntent & Required<Pick<StartIntent, "browser">>,
): Promise<StartedIntent | UnstartedIntent> {
  const begun = await begin(deps, call, input);
  const intentId = await write(deps, call, input, begun);
  if (begun.refused !== undefined) return { intentId, url: undefined };
  return { intentId, url: begun.form === undefined ? fromHere(begun.url, input.origin) : formPageOf(intentId) };
}

// Our own pages lead to one another by path.
const fromHere = (url: string, origin: string): string =>
  url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;

type Begun = {
  readonly state: Secret;
  readonly nonce: Secret;
  readonly codeVerifier: Secret;
} & (
  | (BegunSignIn & { readonly refused: undefined })
  | {
      readonly refused: ProviderRefused;
      readonly url: undefined;
      readonly form?: undefined;
      readonly hasChallenge: false;
    }
);

async function begin(deps: IntentDeps, call: Call, input: StartIntent): Promise<Begun> {
  const { provider, origin, loginHint, prompt, maxAgeSeconds, uiLocales = [] } = input;
  const [state, nonce, codeVerifier] = [deps.random, deps.random, deps.random].map(generateSecret);
  if (state === undefined || nonce === undefined || codeVerifier === undefined) throw new Error("no randomness");
  const secrets = { state, nonce, codeVerifier };
  try {
    const begun = await createProviderClient(deps, provider, origin).begin({
      instanceId: call.instanceId,
      now: call.now,
      redirectUri: callbackOf(origin, provider),
      loginHint,
      prompt,
      maxAgeSeconds,
      uiLocales,
      state: state.reveal(),
      nonce: nonce.reveal(),
      codeChallenge: challengeOf(codeVerifier.reveal()),
    });
    return { ...secrets, ...begun, refused: undefined };
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    return { ...secrets, refused: error, url: undefined, hasChallenge: false };
  }
}

/** Returns our page that has the browser post the form of an attempt (`findProviderForm`). */
const formPageOf = (intentId: string): string => `/idps/saml/send?id=${intentId}`;

/** Returns the instant since when the user must have authenticated there, if the provider was asked for that. */
function demandedSince({ prompt, maxAgeSeconds }: StartIntent, now: Instant): Instant | undefined {
  if (prompt === "login") return now;
  return maxAgeSeconds === undefined ? undefined : now - maxAgeSeconds * 1000;
}

/**
 * Returns where the provider sends the browser back. Providers of an organization have an address of their own: the
 * organization controls where its provider sends users, and must not receive what another provider answered (mix-up,
 * RFC 9700 §4.4.2). SAML providers each have their own.
 */
function callbackOf(origin: string, provider: IdentityProvider): string {
  const { ownerOrganizationId: owner, identityProviderId, configuration } = provider;
  if (protocolOf(configuration.kind) === "saml") return samlAddressesOf(origin, identityProviderId).consumer;
  return `${origin}/idps/callback${owner === "" ? "" : `/${owner}`}`;
}

async function write(deps: IntentDeps, call: Call, input: StartIntent, begun: Begun): Promise<string> {
  const { provider, origin, urls, browser, starterId } = input;
  const { state, nonce, codeVerifier, hasChallenge, refused } = begun;
  const { identityProviderId } = provider;
  const intentId = deps.newId();
  const kept: SealedRequest = {
    nonce: nonce.reveal(),
    ...(hasChallenge && { codeVerifier: codeVerifier.reveal() }),
    ...(browser?.invitationCode && { invitationCode: browser.invitationCode.reveal() }),
    authenticatedSince: demandedSince(input, call.now),
    ...(browser !== undefined && begun.form !== undefined && { form: { url: begun.url, fields: begun.form } }),
    // Other providers got it in the address.
    ...(protocolOf(provider.configuration.kind) === "ldap" && { loginHint: input.loginHint }),
  };
  const sealedRequest = deps.vault.encrypt(JSON.stringify(kept), intentContext(call.instanceId, intentId, "request"));
  await deps.database.change(call, async (tx) => {
    insertIntent(tx, {
      intentId,
      identityProviderId,
      speaker: provider.speaker,
      sealedRequest,
      redirectUri: callbackOf(origin, provider),
      stateHash: hashSecret(state),
      browserHash: browser?.browserHash,
      authRequestId: browser?.authRequestId,
      deviceAuthorizationId: browser?.deviceAuthorizationId,
      goal: browser?.goal,
      organizationId: browser?.organizationId,
      linkUserId: browser?.linkUserId,
      starterId,
      failure: refused && "identity_intent.provider_unreachable",
      successUrl: urls?.success,
      failureUrl: urls?.failure,
      expiresAt: call.now + timeAtProvider,
    });
    const aggregate = intentAggregate(intentId, tx.instanceId);
    const payload = { idpId: identityProviderId, successURL: urls?.success, failureURL: urls?.failure };
    tx.record({ type: "idpintent.started", ...aggregate, sequence: 1, payload });
    if (refused === undefined) return;
    const failed = { reason: refused.reason, detail: refused.detail };
    tx.record({ type: "idpintent.failed", ...aggregate, sequence: 2, payload: failed });
  });
  return intentId;
}

// RFC 7636 §4.2.
const challengeOf = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url");
