import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { OidcServer, TestClient } from "./oidc.ts";

/** A client that proves itself with a key, and the key. */
export interface KeyedClient {
  readonly client: TestClient;
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Registers a client with private_key_jwt and gives it a key (RS256). */
export async function createKeyedClient(
  server: OidcServer,
  configuration: Readonly<Record<string, unknown>> = {},
  expirationDate = "2100-01-01T00:00:00Z",
): Promise<KeyedClient> {
  const authMethodType = "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT";
  const client = await server.createClient({ ...configuration, authMethodType });
  const { status, body } = await server.connect("service.application.v2.ApplicationService/CreateApplicationKey", {
    projectId: server.projectId,
    applicationId: client.applicationId,
    expirationDate,
  });
  assert.equal(status, 200, JSON.stringify(body));
  const file = JSON.parse(Buffer.from(body.keyDetails, "base64").toString("utf8"));
  const privateKey = createPrivateKey(file.key);
  return { client, keyId: file.keyId, privateKey, publicKey: createPublicKey(privateKey) };
}
