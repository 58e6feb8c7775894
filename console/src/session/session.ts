import { basePath, type Environment } from "./environment.ts";
import { createProofKey, type ProofKey } from "./proof-key.ts";
import { claimsOf, redeemChoice, SignInError, signInByPage, signInSilently, type Tokens } from "./sign-in.ts";

/** The user of this document, with tokens that are in memory alone and bound to a key of this document. */
export interface Session {
  readonly userId: string;
  /** Sends a request with the user's token and a proof, and gets a new token first when the present one is ending. */
  fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
  /** Ends the browser's session, at the hosted login as well (RP-initiated logout 1.0). */
  signOut(): void;
}

const renewalMargin = 30_000;

/**
 * Signs in. Leaves the document when the hosted login has to ask something first; a document that just came back from
 * there stays, so that the browser never goes to and fro without end. Throws `SignInError`.
 */
export async function openSession(environment: Environment, returned: Return | undefined): Promise<Session> {
  const key = await createProofKey();
  const chosen = returned?.code === undefined ? undefined : await redeemChoice(environment, key, returned.code);
  const found = chosen ?? (await signInSilently(environment, key));
  if (found === "sign-in" && returned !== undefined) {
    throw new SignInError("login_required", "The sign-in was not completed.");
  }
  if (typeof found === "string") return signInByPage(environment, ownPath(location), found);
  let tokens: Tokens | undefined = found;
  const userId = String(claimsOf(found.idToken)["sub"]);
  // Where the browser has several accounts, the next sign-ins name the one that was chosen.
  const loginHint = chosen && (await loginNameOf(environment, key, chosen.accessToken));
  let renewal: Promise<Tokens> | undefined;

  const renew = async (): Promise<Tokens> => {
    const renewed = await signInSilently(environment, key, loginHint);
    if (typeof renewed === "string") return signInByPage(environment, ownPath(location), renewed);
    // Another user may have signed in with this browser meanwhile; what is shown belongs to the former one.
    if (claimsOf(renewed.idToken)["sub"] !== userId) return signInByPage(environment, ownPath(location), "sign-in");
    return renewed;
  };
  const current = async (): Promise<Tokens> => {
    if (tokens !== undefined && Date.now() < tokens.expiresAt - renewalMargin) return tokens;
    renewal ??= renew().finally(() => {
      renewal = undefined;
    });
    tokens = await renewal;
    return tokens;
  };

  return {
    userId,
    async fetch(input, init) {
      const request = new Request(input, { ...init, credentials: "omit" });
      const sent = await sendProven(key, request.clone(), (await current()).accessToken);
      if (sent.status !== 401) return sent;
      // The session ended elsewhere, the clock is wrong, or the proof needs the nonce that this answer gave.
      if (!asksForNonce(sent)) tokens = undefined;
      return sendProven(key, request, (await current()).accessToken);
    },
    signOut: () => signOut(environment, tokens?.idToken),
  };
}

async function sendProven(key: ProofKey, request: Request, accessToken: string): Promise<Response> {
  request.headers.set("authorization", `DPoP ${accessToken}`);
  request.headers.set("dpop", await key.prove({ method: request.method, url: request.url, accessToken }));
  const response = await fetch(request);
  key.takeNonce(response);
  return response;
}

const asksForNonce = (response: Response): boolean =>
  response.headers.get("www-authenticate")?.includes("use_dpop_nonce") ?? false;

function signOut({ origin, clientId }: Environment, idToken: string | undefined): void {
  const form = document.createElement("form");
  form.method = "post";
  form.action = `${origin}/oidc/v1/end_session`;
  const fields = {
    client_id: clientId,
    post_logout_redirect_uri: `${origin}${basePath}/`,
    ...(idToken !== undefined && { id_token_hint: idToken }),
  };
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement("input");
    input.type = "hidden";
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
}

/** Returns the address within the console, without what a sign-in added to it. */
const ownPath = ({ pathname, search }: Location): string => `${pathname}${search}`;

async function loginNameOf({ origin }: Environment, key: ProofKey, accessToken: string): Promise<string | undefined> {
  const request = new Request(`${origin}/oidc/v1/userinfo`, { credentials: "omit" });
  const response = await sendProven(key, request, accessToken);
  const claims = response.ok ? ((await response.json()) as Record<string, unknown>) : {};
  return typeof claims["preferred_username"] === "string" ? claims["preferred_username"] : undefined;
}

/** What the hosted login came back with. */
export interface Return {
  /** Where the console goes on. */
  readonly path: string;
  readonly code?: string;
  readonly error?: SignInError;
}

/** Errors that a user can be told about (RFC 6749 §4.1.2.1); others are told as `server_error`. */
const errors = new Set(["access_denied", "invalid_request", "temporarily_unavailable", "unauthorized_client"]);

/**
 * Reads what a sign-in by page came back with; undefined when the document was opened otherwise. Only addresses of the
 * console count, and no words of the address are shown: anyone can write a link.
 */
export function readReturn({ search, origin }: Location): Return | undefined {
  const parameters = new URLSearchParams(search);
  const [code, error] = [parameters.get("code"), parameters.get("error")];
  if (parameters.get("iss") !== origin || (code === null && error === null)) return undefined;
  const target = URL.parse(parameters.get("state") ?? "", origin);
  const isOurs = target?.origin === origin && `${target.pathname}/`.startsWith(`${basePath}/`);
  return {
    path: isOurs ? `${target.pathname}${target.search}` : `${basePath}/`,
    ...(code !== null && { code }),
    ...(error !== null && { error: new SignInError(errors.has(error) ? error : "server_error", "") }),
  };
}
