import { hashSecret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import { findIdentityProvider, type IdentityProvider } from "../identity-provider/index.ts";
import { createProviderClient, type ExternalIdentity, ProviderRefused } from "../identity-provider-client/index.ts";
import type { PreparedDeps } from "../user/index.ts";
import { type AnswerOutcome, explainStale, failAttempt, succeedAttempt } from "./conclude-attempt.ts";
import { consumeState } from "./identity-intent.store.ts";
import { type IdentityIntent, intentContext, type KeptAnswer, type SealedRequest } from "./identity-intent.ts";
import { type IntentDeps, isOpenAt } from "./intent-deps.ts";

/** What a browser returned with from a provider. */
export interface ProviderAnswer {
  readonly state: string;
  readonly browserHash: string | undefined;
  readonly origin: string;
  /** Where the provider sent the browser; undefined when a proxy delivers the token. */
  readonly path: string | undefined;
  /** A code or an error; `posted` when it was stored before; or the reader of the header with the token. */
  readonly said: KeptAnswer | "posted" | { readonly header: (name: string) => string | undefined };
}

/**
 * Processes what a browser returned with. First the state is spent, whatever follows; then the provider is asked,
 * outside of any unit of work; then the result is stored. Never throws for what a provider or a browser did.
 */
export async function receiveAnswer(
  deps: IntentDeps & PreparedDeps,
  call: Call,
  answer: ProviderAnswer,
): Promise<AnswerOutcome> {
  const { state, browserHash, said } = answer;
  const key = { stateHash: hashSecret(state), browserHash, isKept: said === "posted" };
  const intent = await deps.database.touch(call, (tx) => consumeState(tx, key));
  if (intent === undefined) return explainStale(deps, call, key);
  const provider = await findIdentityProvider(deps.database.read, call.instanceId, intent.identityProviderId);
  // The state names the provider and its speaker at the time: another server cannot answer in their place.
  if (provider === undefined || !isOpenAt(provider, intent))
    return failAttempt(deps, call, intent, "provider_unusable");
  try {
    const identity = await ask(deps, call, { intent, provider, answer });
    return await succeedAttempt(deps, call, { intent, provider, identity });
  } catch (error) {
    if (error instanceof ProviderRefused) return failAttempt(deps, call, intent, error.reason, error);
    throw error;
  }
}

interface Asked {
  readonly intent: IdentityIntent;
  readonly provider: IdentityProvider;
  readonly answer: ProviderAnswer;
}

async function ask(deps: IntentDeps, call: Call, { intent, provider, answer }: Asked): Promise<ExternalIdentity> {
  const { origin, path } = answer;
  // RFC 9700 §4.4.2.2: an answer at another path comes from another server and must not be sent to this one.
  if (path !== undefined && new URL(intent.redirectUri).pathname !== path) throw new ProviderRefused("issuer_mismatch");
  const said = answer.said === "posted" ? openAnswer(deps, call, intent) : answer.said;
  const { instanceId, now } = call;
  const client = createProviderClient(deps, provider, origin);
  if ("error" in said) {
    if (client.flow === "assertion") throw new ProviderRefused("answer_malformed");
    if (client.flow === "code") await client.checkIssuer({ instanceId, issuer: said.issuer });
    throw new ProviderRefused("denied");
  }
  if (client.flow === "token") {
    const token = "header" in said ? said.header(client.headerName) : undefined;
    if (token === undefined) throw new ProviderRefused("answer_malformed");
    return client.verify(token.replace(/^Bearer /i, ""), { instanceId, now });
  }
  // Users enter their password on a page of ours, so no answer arrives from elsewhere.
  if ("header" in said || client.flow === "password") throw new ProviderRefused("answer_malformed");
  const kept = deps.vault.decrypt(intent.sealedRequest, intentContext(instanceId, intent.intentId, "request"));
  const { nonce, codeVerifier, authenticatedSince } = JSON.parse(kept.reveal()) as SealedRequest;
  const common = { instanceId, now, nonce, authenticatedSince };
  if (client.flow === "assertion") {
    if (!("response" in said)) throw new ProviderRefused("answer_malformed");
    return client.complete({ ...common, response: said.response });
  }
  if (!("code" in said)) throw new ProviderRefused("answer_malformed");
  const { code, issuer, user } = said;
  return client.complete({ ...common, redirectUri: intent.redirectUri, codeVerifier, code, issuer, user });
}

function openAnswer({ vault }: IntentDeps, { instanceId }: Call, { intentId, sealedAnswer }: IdentityIntent) {
  const clear = vault.decrypt(sealedAnswer ?? "", intentContext(instanceId, intentId, "answer"));
  return JSON.parse(clear.reveal()) as KeptAnswer;
}
