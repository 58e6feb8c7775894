import assert from "node:assert/strict";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { type JWTPayload, SignJWT } from "jose";
import { createKeyedClient, type KeyedClient } from "./application-key.ts";
import { assertionType } from "./assertions.ts";
import { fetchNonce, makeProof, makeProofKey, type ProofKey } from "./dpop.ts";
import type { FormAnswer, OidcServer, TestClient } from "./oidc.ts";

type Values = Readonly<Record<string, unknown>>;
type Texts = Readonly<Record<string, string>>;

/** A client that keeps the FAPI 2.0 Security Profile, as its own software would: its key, proofs and requests. */
export interface FapiClient {
  readonly client: TestClient;
  readonly key: ProofKey;
  /** An assertion; claims of undefined are left out. */
  assertion(claims?: Values, algorithm?: string): Promise<Texts>;
  /** A request object with the given parameters; claims of undefined are left out. */
  requestObject(claims: Values, algorithm?: string): Promise<string>;
  /** Sends a form with a DPoP proof; `nonce: null` leaves the nonce out. */
  send(path: string, parameters: Texts, options?: { readonly nonce?: string | null }): Promise<FormAnswer>;
  /** A good authorization request, and its verifier. */
  request(): { readonly parameters: Texts; readonly codeVerifier: string };
  /** Pushes a request; returns the address for the browser. */
  push(parameters: Texts): Promise<URL>;
  /** Redeems a code. */
  redeem(code: string, codeVerifier: string): Promise<FormAnswer>;
}

/** Makes a client with the profile and a key (PS256). */
export async function createFapiClient(server: OidcServer, configuration: Values = {}): Promise<FapiClient> {
  const profile = { securityProfile: "OIDC_CLIENT_PROFILE_FAPI2" };
  return asFapiClient(server, await createKeyedClient(server, { ...profile, ...configuration }));
}

/** Speaks for a client with a key as the profile wants it, whatever the client is configured to. */
export async function asFapiClient(server: OidcServer, keyed: KeyedClient): Promise<FapiClient> {
  const { client } = keyed;
  const key = await makeProofKey();
  const sign = (claims: Values, algorithm: string): Promise<string> => {
    const known = Object.entries(claims).filter(([, value]) => value !== undefined);
    return new SignJWT(Object.fromEntries(known) as JWTPayload)
      .setProtectedHeader({ alg: algorithm, kid: keyed.keyId })
      .sign(keyed.privateKey);
  };
  const now = (): number => Math.floor(server.clock.now / 1000);
  const assertion: FapiClient["assertion"] = async (claims = {}, algorithm = "PS256") => {
    const own = { iss: client.clientId, sub: client.clientId, aud: server.origin, iat: now(), exp: now() + 60 };
    const text = await sign({ ...own, jti: randomUUID(), ...claims }, algorithm);
    return { client_assertion: text, client_assertion_type: assertionType };
  };
  const send: FapiClient["send"] = async (path, parameters, { nonce } = {}) => {
    const used = nonce === undefined ? await fetchNonce(server, key) : nonce;
    const dpop = await makeProof(server, key, { path, ...(used !== null && { nonce: used }) });
    return server.form(path, parameters, { dpop });
  };
  return {
    client,
    key,
    assertion,
    send,
    requestObject: (claims, algorithm = "PS256") =>
      sign(
        {
          iss: client.clientId,
          aud: server.origin,
          nbf: now(),
          exp: now() + 300,
          client_id: client.clientId,
          ...claims,
        },
        algorithm,
      ),
    request: () => {
      const codeVerifier = randomBytes(32).toString("base64url");
      const parameters = {
        client_id: client.clientId,
        redirect_uri: client.redirectUri,
        response_type: "code",
        scope: "openid offline_access",
        state: "s-1",
        nonce: "n-1",
        code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
        code_challenge_method: "S256",
      };
      return { parameters, codeVerifier };
    },
    push: async (parameters) => {
      const answer = await send("/oauth/v2/par", { ...parameters, ...(await assertion()) });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      const query = new URLSearchParams({ client_id: client.clientId, request_uri: answer.body.request_uri });
      return new URL(`${server.origin}/oauth/v2/authorize?${query}`);
    },
    redeem: async (code, codeVerifier) =>
      send("/oauth/v2/token", {
        grant_type: "authorization_code",
        code,
        redirect_uri: client.redirectUri,
        code_verifier: codeVerifier,
        ...(await assertion()),
      }),
  };
}
