import { authorityContext, consentWordsOf, needsConsent } from "../../authority/index.ts";
import type { Call } from "../../call/index.ts";
import { findConsent } from "../../domain/consent/index.ts";
import type { OAuthDeps } from "../deps.ts";
import type { AuthorizationResponse } from "../response-mode/authorization-response.ts";
import { answerWithSession } from "./answer.ts";
import type { AnswerInput } from "./answer-input.ts";

/** `consent`: the user has to consent first. `gone`: the request was already answered. */
export type ConsentedAnswer =
  | { readonly kind: "answered"; readonly response: AuthorizationResponse }
  | { readonly kind: "consent" }
  | { readonly kind: "gone" };

export interface ConsentInput extends AnswerInput {
  /** The session whose user consented to this exact request; undefined when the user was not asked. */
  readonly consentedSessionId: string | undefined;
}

/**
 * Answers a request with a session, unless the user has to consent first, because the client is not trusted with what
 * it requests. Both the hosted login and custom logins answer only through this function.
 */
export async function answerWithConsent(deps: OAuthDeps, call: Call, input: ConsentInput): Promise<ConsentedAnswer> {
  if (await isConsentMissing(deps, call, input)) return { kind: "consent" };
  const response = await answerWithSession(deps, call, input);
  return response === undefined ? { kind: "gone" } : { kind: "answered", response };
}

type ConsentQuestion = Pick<ConsentInput, "client" | "parameters" | "session" | "consentedSessionId">;

/**
 * Whether the user of the session has to consent before the client gets anything of this request. Consent to this exact
 * request stands for what it named: what the answer would say now, by the same client, has to be in it.
 */
export async function isConsentMissing(deps: OAuthDeps, call: Call, input: ConsentQuestion): Promise<boolean> {
  const { client, parameters, session, consentedSessionId } = input;
  const { sessionId, userId = "" } = session;
  const context = await authorityContext(deps, call);
  if (!(await needsConsent(context, { client, userId }, parameters))) return false;
  if (userId === "") return true;
  const isAskedAnew = parameters.prompt.includes("consent") || !isAssured(input);
  if (isAskedAnew && consentedSessionId !== sessionId) return true;
  const { clientId } = client;
  const given = await findConsent(deps.database.read, call.instanceId, { userId, clientId });
  const words = await consentWordsOf(context, client, parameters);
  return !words.every((word) => given?.scopes.includes(word));
}

// RFC 8252 §8.6: an attacker who can listen on a port of the user's machine, or claim a scheme there, can impersonate a
// client without a secret. Consent given to such a client applies to no other request.
const isAssured = ({ client, parameters }: ConsentQuestion): boolean =>
  client.kind === "confidential" || parameters.redirectUri.startsWith("https://");
