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

/** Errors of `prompt=none` that a page can settle (OpenID Connect Core §3.1.2.6). */
const settledByPage = new Set([
  "login_required",
  "interaction_required",
  "account_selection_required",
  "consent_required",
]);

/**
 * Gets tokens by the session that the browser has with the hosted login, without leaving the document: the
 * authorization endpoint redirects to an empty page of the console, and the code is read from its address. Nothing is
 * stored. Resolves with undefined when a page has to ask the user first.
 */
export async function signInSilently(environment: Environment, key: ProofKey): Promise<Tokens | undefined> {
  const [state, nonce, verifier] = [random(), random(), random()];
  const redirectUri = `${environment.origin}${basePath}/return`;
  const address = authorizationAddress(environment, redirectUri, {
    prompt: "none",
    state,
    nonce,
    code_challenge: await digest(verifier),
  });
  const response = await fetch(address, { credentials: "same-origin", redirect: "follow" });
  key.takeNonce(response);
  const returned = new URL(response.url).searchParams;
  const error = returned.get("error");
  if (error !== null && settledByPage.has(error)) return undefined;
  if (error !== null) throw new SignInError(error, returned.get("error_description") ?? error);
  const code = returned.get("code");
  if (code === null || returned.get("state") !== state || returned.get("iss") !== environment.origin) {
    throw new SignInError("invalid_response", "The answer of the sign-in does not belong to this request.");
  }
  return redeem(environment, key, { code, verifier, redirectUri, nonce });
}

/**
 * Leaves the document for the hosted login, which comes back to `path`. What comes back with it is thrown away: the
 * document that is loaded then signs in silently, so that nothing has to be kept in between.
 */
export async function signInByPage(environment: Environment, path: string): Promise<never> {
  const parameters = { state: path, nonce: random(), code_challenge: await digest(random()) };
  location.assign(authorizationAddress(environment, `${environment.origin}${basePath}/`, parameters));
  return new Promise(() => {});
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
