import assert from "node:assert/strict";
import { fetch } from "../../support/http/fetch.ts";
import { assertionType, signAssertion } from "../../support/oidc/assertions.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { addClient, type SignInClient } from "../../support/sign-in/sign-in-client.ts";

/** Makes an application that proves itself with a key, and what pushes and signs requests. */
export async function addKeyedClient(server: TestServer) {
  const client = await addClient(server, { authMethod: "private_key_jwt" }, "Keyed");
  const { status, body } = await server.connect("service.application.v2.ApplicationService/CreateApplicationKey", {
    projectId: client.projectId,
    applicationId: client.applicationId,
    expirationDate: "2100-01-01T00:00:00Z",
  });
  assert.equal(status, 200, JSON.stringify(body));
  const { key, keyId } = JSON.parse(Buffer.from(body.keyDetails, "base64").toString("utf8"));
  const signer = { key, keyId, subject: client.clientId };
  return {
    client,
    /** With what the application authenticates. */
    proof: { client_assertion: signAssertion(server, signer), client_assertion_type: assertionType },
    sign: (claims: Record<string, string>) => signAssertion(server, signer, { ...claims, sub: undefined }),
  };
}

/** Returns the parameters of a client's authorization request. */
export const requestOf = (
  server: TestServer,
  client: SignInClient,
  more: Record<string, string>,
): Record<string, string> => Object.fromEntries(new URL(client.start(more).path, server.origin).searchParams);

/** Pushes a request, with the proof of its client if there is one; returns the parameters that refer to it. */
export async function pushRequest(server: TestServer, parameters: Record<string, string>, proof = {}) {
  const body = new URLSearchParams({ ...parameters, ...proof });
  const answer = await fetch(`${server.origin}/oauth/v2/par`, { method: "POST", body });
  assert.equal(answer.status, 201);
  const { request_uri } = (await answer.json()) as { request_uri: string };
  return { client_id: parameters["client_id"] ?? "", request_uri };
}
