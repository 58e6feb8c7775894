import type { Call } from "../../call/index.ts";
import { findConsent } from "../../domain/consent/index.ts";
import type { OAuthDeps } from "../deps.ts";
import type { AuthorizationResponse } from "../response-mode/authorization-response.ts";
import { answerWithSession } from "./answer.ts";
import type { AnswerInput } from "./answer-input.ts";
import { consentWords } from "./consent-words.ts";

/** `consent`: the person has to be asked first. `gone`: the request was answered already. */
export type ConsentedAnswer =
  | { readonly kind: "answered"; readonly response: AuthorizationResponse }
  | { readonly kind: "consent" }
  | { readonly kind: "gone" };

export interface ConsentInput extends AnswerInput {
  /** The session whose person agreed to what this very request asks for; undefined when nobody was asked. */
  readonly consentedSessionId: string | undefined;
}

/**
 * Answers a request with a session, unless its person has to consent first: to what the client asks for, where nobody vouches for the client. The one
 * way to an answer, for the hosted login and for those of others.
 */
export async function answerWithConsent(deps: OAuthDeps, call: Call, input: ConsentInput): Promise<ConsentedAnswer> {
  if (await isConsentMissing(deps, call, input)) return { kind: "consent" };
  const response = await answerWithSession(deps, call, input);
  return response === undefined ? { kind: "gone" } : { kind: "answered", response };
}

async function isConsentMissing(deps: OAuthDeps, call: Call, input: ConsentInput): Promise<boolean> {
  const { client, parameters, session, consentedSessionId } = input;
  const { sessionId, userId } = session;
  if (!client.isConsentRequired || consentedSessionId === sessionId) return false;
  if (userId === undefined || parameters.prompt.includes("consent") || !isAssured(input)) return true;
  const { clientId } = client;
  const given = await findConsent(deps.database.read, call.instanceId, { userId, clientId });
  return !consentWords(parameters).every((word) => given?.scopes.includes(word));
}

// RFC 8252 §8.6: whoever can listen on a port of the person's machine, or take a scheme there, can pass for a client that has no secret. What was
// once said to such a client counts for no other request.
const isAssured = ({ client, parameters }: AnswerInput): boolean =>
  client.kind === "confidential" || parameters.redirectUri.startsWith("https://");
