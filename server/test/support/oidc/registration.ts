import assert from "node:assert/strict";
import { appoint, type Person } from "../people/people.ts";
import type { RestAnswer, TestServer } from "../servers/server.ts";

export const registrationPath = "/oauth/v2/register";

/** The least that a client has to say. */
export const minimal = { redirect_uris: ["https://app.example/callback"] };

type Mode = "off" | "token" | "open";

/** Sets by the API who may register clients. */
export async function setRegistration(
  server: TestServer,
  mode: Mode,
  quota: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const dynamicClientRegistration = { enabled: mode !== "off", allowUnauthenticated: mode === "open", ...quota };
  const answer = await server.rest("PUT", "/v2/policies/security", { body: { dynamicClientRegistration } });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

/** Registers a client; with the owner's token, another one, or none (`null`). */
export function register(server: TestServer, metadata: unknown, token?: string | null): Promise<RestAnswer> {
  return server.rest("POST", registrationPath, { body: metadata, ...(token !== undefined && { token }) });
}

/** Registers a client and expects that it succeeds. */
export async function registered(server: TestServer, metadata: object = minimal, token?: string | null) {
  const answer = await register(server, metadata, token);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}

/** Makes a service account with a personal access token. */
export async function makeServiceAccount(
  server: TestServer,
  organizationId: string,
  username: string,
): Promise<Pick<Person, "userId"> & { readonly token: string }> {
  const made = await server.connect("service.user.v2.UserService/CreateUser", {
    organizationId,
    username,
    machine: { name: username },
  });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const pat = await server.rest("POST", `/v2/users/${made.body.id}/pats`, {
    body: { expirationDate: "2100-01-01T00:00:00Z" },
  });
  assert.equal(pat.status < 300, true, JSON.stringify(pat.body));
  return { userId: made.body.id, token: pat.body.token };
}

/** A service account that may register clients in its organization, and nothing else. */
export async function makeRegistrar(server: TestServer, organizationId: string, username = "registrar") {
  const account = await makeServiceAccount(server, organizationId, username);
  await appoint(server, account, { organizationId }, ["ORG_DYNAMIC_CLIENT_REGISTRAR"]);
  return account;
}
