import { createRemoteJWKSet, jwtVerify } from "jose";
import { reach, readJson } from "../api-client.ts";
import { CommandError } from "../command-error.ts";

/** Thrown when an endpoint refuses a request. */
export class TokenRefused extends CommandError {
  /** RFC 6749 §5.2; the status where the answer says nothing. */
  readonly code: string;

  constructor(response: Readonly<Record<string, unknown>>, status: number) {
    const { error = `HTTP ${status}`, error_description: description } = response;
    const reason = typeof description === "string" ? `${String(error)}: ${description}` : String(error);
    const fix = error === "invalid_client" ? "check client id and secret" : undefined;
    super(`the server issued no token (${reason})`, fix === undefined ? {} : { fix });
    this.code = String(error);
  }
}

/** An application, by its registration at the token endpoint. */
export interface OAuthClient {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret: string | undefined;
}

/** Endpoints of an issuer (OpenID Connect Discovery §3). */
export interface Provider {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly keySet: string;
  readonly deviceAuthorizationEndpoint: string | undefined;
  readonly revocationEndpoint: string | undefined;
  readonly userinfoEndpoint: string | undefined;
}

export interface TokenAnswer {
  readonly accessToken: string;
  /** The unchanged token response. */
  readonly response: Readonly<Record<string, unknown>>;
  /** Claims of the verified ID token, if there is one. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/**
 * Finds the endpoints. Rejects a document of another issuer (OpenID Connect Discovery §4.3), and endpoints that
 * are not web addresses, or have no TLS where the issuer has it.
 */
export async function discover(issuer: string): Promise<Provider> {
  const response = await reach(`${issuer}/.well-known/openid-configuration`);
  const document = await readJson(response);
  if (!response.ok)
    throw new CommandError(`${issuer} is not an issuer: discovery answered ${response.status}`, { fix: nameIssuer });
  if (document["issuer"] !== issuer) {
    throw new CommandError(`${issuer} calls itself ${String(document["issuer"])}`, { fix: nameIssuer });
  }
  const endpoint = (name: string): string => {
    const address = String(document[name]);
    if (isWebAddress(address, issuer)) return address;
    throw new CommandError(`${issuer} names ${address} as its ${name}, which is not a web address`);
  };
  const optional = (name: string): string | undefined => (document[name] === undefined ? undefined : endpoint(name));
  return {
    authorizationEndpoint: endpoint("authorization_endpoint"),
    tokenEndpoint: endpoint("token_endpoint"),
    keySet: endpoint("jwks_uri"),
    deviceAuthorizationEndpoint: optional("device_authorization_endpoint"),
    revocationEndpoint: optional("revocation_endpoint"),
    userinfoEndpoint: optional("userinfo_endpoint"),
  };
}

// The system opens the first of them, and would run a program for an address of another scheme.
function isWebAddress(text: string, issuer: string): boolean {
  const scheme = URL.parse(text)?.protocol;
  return scheme === "https:" || (scheme === "http:" && issuer.startsWith("http:"));
}

const nameIssuer = "use the issuer as the server calls itself, which is its base URL";

/** Sends a token request (RFC 6749 §3.2). With `nonce`, the ID token must contain it. */
export async function requestToken(
  client: OAuthClient,
  parameters: Readonly<Record<string, string>>,
  nonce?: string,
): Promise<TokenAnswer> {
  const provider = await discover(client.issuer);
  const { clientId, clientSecret } = client;
  const answered = await reach(provider.tokenEndpoint, {
    method: "POST",
    headers: clientSecret === undefined ? {} : { authorization: basic(clientId, clientSecret) },
    body: new URLSearchParams(clientSecret === undefined ? { ...parameters, client_id: clientId } : parameters),
  });
  const response = await readJson(answered);
  const { access_token: accessToken, id_token: idToken } = response;
  if (!answered.ok || typeof accessToken !== "string") throw new TokenRefused(response, answered.status);
  if (typeof idToken !== "string") return { accessToken, response };
  const claims = await verify(provider, client, idToken);
  if (nonce !== undefined && claims["nonce"] !== nonce)
    throw new CommandError("the id token belongs to another request");
  return { accessToken, response, claims };
}

/**
 * Returns what to call the user who signed in: the login name, which most id tokens leave to the userinfo endpoint
 * (OpenID Connect Core §5.4), otherwise the id. Undefined where no user did.
 */
export async function findUserName(issuer: string, { accessToken, claims }: TokenAnswer): Promise<string | undefined> {
  if (claims === undefined) return undefined;
  const { preferred_username: name, sub } = claims;
  if (typeof name === "string") return name;
  const { userinfoEndpoint } = await discover(issuer);
  const response = userinfoEndpoint === undefined ? undefined : await reach(userinfoEndpoint, bearer(accessToken));
  const found = response?.ok ? await readJson(response) : {};
  // OpenID Connect Core §5.3.2: an answer about another user must not be used.
  return String((found["sub"] === sub ? found["preferred_username"] : undefined) ?? sub);
}

const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });

// RFC 6749 §2.3.1: both halves are form-encoded before they are joined.
function basic(clientId: string, clientSecret: string): string {
  const encode = (text: string): string => new URLSearchParams({ "": text }).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString("base64")}`;
}

async function verify(provider: Provider, { issuer, clientId }: OAuthClient, idToken: string) {
  const keys = createRemoteJWKSet(new URL(provider.keySet));
  const { payload } = await jwtVerify(idToken, keys, { issuer, audience: clientId, clockTolerance: 5 });
  return payload;
}
