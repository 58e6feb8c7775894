import { digest, random } from "./encoding.ts";
import { basePath, type Environment } from "./environment.ts";
import type { ProofKey } from "./proof-key.ts";

export interface Tokens {
  readonly accessToken: string;
  readonly idToken: string;
  /** Instant of the browser's clock, in milliseconds. */
  readonly expiresAt: number;
}

/** Why the server gave no token. `error` is the code of OAuth 2.0 (RFC 6749 §4.1.2.1, §5.2). */
export class SignInError extends Error {
  readonly error: string;

  constructor(error: string, description: string) {
    super(description);
    this.name = "SignInError";
    this.error = error;
  }
}

const scope = "openid profile email urn:service:iam:org:project:id:service:aud";

/**
 * What a page has to ask first (OpenID Connect Core §3.1.2.6): who the user is, or which of several accounts in this
 * browser they want to use.
 */
export type Question = "sign-in" | "choice";

const questions: Readonly<Record<string, Question>> = {
  login_required: "sign-in",
  consent_required: "sign-in",
  interaction_required: "choice",
  account_selection_required: "choice",
};

/**
 * Gets tokens by the session that the browser has with the hosted login, without leaving the document: the
 * authorization endpoint redirects to an empty page of the console, and the code is read from its address. Nothing is
 * stored. Resolves with the question when a page has to ask the user first. `loginHint` decides between several
 * accounts.
 */
export async function signInSilently(
  environment: Environment,
  key: ProofKey,
  loginHint?: string,
): Promise<Tokens | Question> {
  const [state, nonce, verifier] = [random(), random(), random()];
  const redirectUri = `${environment.origin}${basePath}/return`;
  const address = authorizationAddress(environment, redirectUri, {
    prompt: "none",
    state,
    nonce,
    code_challenge: await digest(verifier),
    ...(loginHint !== undefined && { login_hint: loginHint }),
  });
  const response = await fetch(address, { credentials: "same-origin", redirect: "follow" });
  key.takeNonce(response);
  const returned = new URL(response.url).searchParams;
  const error = returned.get("error");
  const question = questions[error ?? ""];
  if (question !== undefined) return question;
  if (error !== null) throw new SignInError(error, returned.get("error_description") ?? error);
  const code = returned.get("code");
  if (code === null || returned.get("state") !== state || returned.get("iss") !== environment.origin) {
    throw new SignInError("invalid_response", "The answer of the sign-in does not belong to this request.");
  }
  return redeem(environment, key, { code, verifier, redirectUri, nonce });
}

/** Name under which the verifier of a choice waits for its code. */
const pendingName = "doorward-console-choice";

/**
 * Leaves the document for the hosted login, which comes back to `path`. After a sign-in, the document that is loaded
 * then signs in silently, and what came back is thrown away, so that nothing has to be kept in between. A choice among
 * several accounts is known by its code alone; its verifier, which is of no use without that code, is kept until then.
 */
export async function signInByPage(environment: Environment, path: string, question: Question): Promise<never> {
  const [nonce, verifier] = [random(), random()];
  sessionStorage.removeItem(pendingName);
  if (question === "choice") sessionStorage.setItem(pendingName, JSON.stringify({ nonce, verifier }));
  const parameters = { state: path, nonce, code_challenge: await digest(verifier) };
  location.assign(authorizationAddress(environment, `${environment.origin}${basePath}/`, parameters));
  return new Promise(() => {});
}

/** Redeems the code that a choice among several accounts came back with; undefined when there was no choice. */
export async function redeemChoice(environment: Environment, key: ProofKey, code: string): Promise<Tokens | undefined> {
  const pending = sessionStorage.getItem(pendingName);
  sessionStorage.removeItem(pendingName);
  if (pending === null) return undefined;
  const { nonce, verifier } = JSON.parse(pending) as { readonly nonce: string; readonly verifier: string };
  const redirectUri = `${environment.origin}${basePath}/`;
  return redeem(environment, key, { code, verifier, nonce, redirectUri });
}

function authorizationAddress(
  { origin, clientId }: Environment,
  redirectUri: string,
  parameters: Readonly<Record<string, string>>,
): URL {
  const address = new URL("/oauth/v2/authorize", origin);
  address.search = new URLSearchParams({
    client_id: clientId,
    response_type: "code",
    redirect_uri: redirectUri,
    scope,
    code_challenge_method: "S256",
    ...parameters,
  }).toString();
  return address;
}

interface Code {
  readonly code: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly nonce: string;
}

async function redeem(environment: Environment, key: ProofKey, code: Code, isAgain = false): Promise<Tokens> {
  const url = `${environment.origin}/oauth/v2/token`;
  const requestedAt = Date.now();
  const response = await fetch(url, {
    method: "POST",
    credentials: "omit",
    headers: { dpop: await key.prove({ method: "POST", url }) },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: environment.clientId,
      code: code.code,
      redirect_uri: code.redirectUri,
      code_verifier: code.verifier,
    }),
  });
  key.takeNonce(response);
  const answer = (await response.json()) as Record<string, unknown>;
  if (answer["error"] === "use_dpop_nonce" && !isAgain) return redeem(environment, key, code, true);
  if (!response.ok) throw new SignInError(String(answer["error"]), String(answer["error_description"]));
  const idToken = String(answer["id_token"]);
  if (claimsOf(idToken)["nonce"] !== code.nonce) {
    throw new SignInError("invalid_response", "The id token does not belong to this request.");
  }
  const expiresAt = requestedAt + Number(answer["expires_in"]) * 1000;
  return { accessToken: String(answer["access_token"]), idToken, expiresAt };
}

/** Returns the claims of a token that this document got from the token endpoint itself (Core §3.1.3.7, 6). */
export function claimsOf(token: string): Readonly<Record<string, unknown>> {
  const part = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(part), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
}
