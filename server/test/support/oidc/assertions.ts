import assert from "node:assert/strict";
import { createPrivateKey, randomUUID, sign } from "node:crypto";
import type { OidcServer, TestClient } from "./oidc.ts";

/** Value of `client_assertion_type` (RFC 7523 §2.2). */
export const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** A client that authenticates by `private_key_jwt`, and what it sends: another assertion each time. */
export interface KeyedClient {
  readonly client: TestClient;
  proof(claims?: Readonly<Record<string, unknown>>): Record<string, string>;
}

/** Makes a client with a key of ours; `configuration` as for `createClient`. */
export async function createKeyedClient(
  server: OidcServer,
  configuration: Readonly<Record<string, unknown>> = {},
): Promise<KeyedClient> {
  const client = await server.createClient({
    authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
    ...configuration,
  });
  const made = await server.connect("service.application.v2.ApplicationService/CreateApplicationKey", {
    projectId: server.projectId,
    applicationId: client.applicationId,
    expirationDate: "2100-01-01T00:00:00Z",
  });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const { key, keyId } = JSON.parse(Buffer.from(made.body.keyDetails, "base64").toString("utf8"));
  return {
    client,
    proof: (claims) => ({
      client_assertion: signAssertion(server, { key, keyId, subject: client.clientId }, claims),
      client_assertion_type: assertionType,
    }),
  };
}

/** A service account with a key of ours; `grant` is a request of the grant JWT profile (RFC 7523 §2.1). */
export async function makeKeyedAccount(server: OidcServer, username = "robot") {
  const body = { organizationId: server.organizationId, username, machine: { name: username } };
  const userId: string = (await server.rest("POST", "/v2/users/new", { body })).body.id;
  const made = await server.rest("POST", `/v2/users/${userId}/keys`, {
    body: { expirationDate: "2100-01-01T00:00:00Z" },
  });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const { key, keyId } = JSON.parse(Buffer.from(made.body.keyContent, "base64").toString("utf8"));
  return {
    userId,
    grant: (claims: Readonly<Record<string, unknown>> = {}) => ({
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      scope: "openid",
      assertion: signAssertion(server, { key, keyId, subject: userId }, claims),
    }),
  };
}

/** An assertion for our issuer, valid for a minute (RFC 7523 §3). */
export function signAssertion(
  { clock, origin }: Pick<OidcServer, "clock" | "origin">,
  signer: { readonly key: string; readonly keyId: string; readonly subject: string },
  claims: Readonly<Record<string, unknown>> = {},
): string {
  const now = Math.floor(clock.now / 1000);
  const { subject, keyId, key } = signer;
  const all = { iss: subject, sub: subject, aud: origin, iat: now, exp: now + 60, jti: randomUUID(), ...claims };
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const input = `${encode({ alg: "RS256", kid: keyId })}.${encode(all)}`;
  return `${input}.${sign("sha256", Buffer.from(input), createPrivateKey(key)).toString("base64url")}`;
}
