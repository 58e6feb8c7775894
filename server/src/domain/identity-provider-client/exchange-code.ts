import { isRecord } from "../../base/json.ts";
import type { Outbound } from "../../base/outbound/index.ts";
import { Secret } from "../../base/secret.ts";
import { fetchJson } from "./fetch-json.ts";
import type { CompleteSignIn } from "./provider-client.ts";
import { ProviderRefused } from "./provider-refused.ts";

export interface TokenEndpoint {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: Secret | undefined;
  /**
   * How our client authenticates when there is a secret. `either`: in the header, and after a 401 in
   * the body. A function signs an assertion.
   */
  readonly authentication: "basic" | "post" | "either" | (() => Promise<string>);
}

export interface ExchangedTokens {
  readonly accessToken: Secret;
  readonly idToken: Secret | undefined;
  readonly refreshToken: Secret | undefined;
}

/** Exchanges a code for tokens (RFC 6749 §4.1.3). Throws `ProviderRefused`. */
export async function exchangeCode(
  outbound: Outbound,
  endpoint: TokenEndpoint,
  answer: CompleteSignIn,
): Promise<ExchangedTokens> {
  const { authentication } = endpoint;
  const first = await send(outbound, endpoint, answer, authentication === "either" ? "basic" : authentication);
  const isUnknown = first.status === 401 && authentication === "either";
  const { status, document } = isUnknown ? await send(outbound, endpoint, answer, "post") : first;
  if (!isRecord(document)) throw new ProviderRefused(status === 200 ? "answer_malformed" : "code_refused");
  // GitHub answers errors with status 200.
  if (status !== 200 || document["error"] !== undefined) throw new ProviderRefused("code_refused", `status ${status}`);
  const accessToken = readToken(document["access_token"]);
  if (accessToken === undefined) throw new ProviderRefused("answer_malformed");
  return {
    accessToken,
    idToken: readToken(document["id_token"]),
    refreshToken: readToken(document["refresh_token"]),
  };
}

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

async function send(
  outbound: Outbound,
  { url, clientId, clientSecret }: TokenEndpoint,
  { code, redirectUri, codeVerifier }: CompleteSignIn,
  authentication: Exclude<TokenEndpoint["authentication"], "either">,
) {
  const form = new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: redirectUri });
  if (codeVerifier !== undefined) form.set("code_verifier", codeVerifier);
  const headers: Record<string, string> = { "content-type": "application/x-www-form-urlencoded" };
  if (typeof authentication === "function") {
    form.set("client_id", clientId);
    form.set("client_assertion_type", assertionType);
    form.set("client_assertion", await authentication());
  } else if (clientSecret === undefined || authentication === "post") {
    form.set("client_id", clientId);
    if (clientSecret !== undefined) form.set("client_secret", clientSecret.reveal());
  } else {
    // RFC 6749 §2.3.1: both are form-encoded before they are joined.
    const pair = [clientId, clientSecret.reveal()].map((part) => new URLSearchParams({ "": part }).toString().slice(1));
    headers["authorization"] = `Basic ${Buffer.from(pair.join(":")).toString("base64")}`;
  }
  return fetchJson(outbound, { url, method: "POST", headers, body: form.toString(), timeout: 10_000 });
}

// RFC 6750 §2.1: the characters of a token; others could add a line to the header.
const readToken = (value: unknown): Secret | undefined =>
  typeof value === "string" && /^[\x21-\x7e]{1,16384}$/.test(value) ? new Secret(value) : undefined;
