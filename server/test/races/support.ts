import assert from "node:assert/strict";
import { revokeOwnClient } from "../../src/domain/token/index.ts";
import { personCall } from "../oauth/token-exchange/person-call.ts";
import { basicOf, type OidcServer, type TestClient } from "../support/oidc/oidc.ts";
import { minimal, registered, setRegistration } from "../support/oidc/registration.ts";
import type { Person } from "../support/people/people.ts";

/** Registers a client that needs the consent of users. */
export async function addForeignClient(server: OidcServer): Promise<TestClient> {
  await setRegistration(server, "open");
  const wanted = { ...minimal, grant_types: ["authorization_code", "refresh_token"] };
  const { client_id: clientId, client_secret: clientSecret } = await registered(server, wanted, null);
  const redirectUri = minimal.redirect_uris[0] ?? "";
  return { applicationId: "", clientId, clientSecret, redirectUri, basic: basicOf(clientId, clientSecret) };
}

/** Signs in and returns the refresh token of a new family. */
export async function refreshTokenOf(server: OidcServer, client: TestClient, user: Person): Promise<string> {
  const tokens = await server.tokens({ client, user, scope: "openid offline_access" });
  return tokens["refresh_token"] ?? assert.fail("no refresh token");
}

/** Renews a token; undefined once the client no longer may. */
export async function renew(server: OidcServer, client: TestClient, token: string): Promise<string | undefined> {
  const parameters = { grant_type: "refresh_token", refresh_token: token };
  const { status, body } = await server.form("/oauth/v2/token", parameters, client.basic);
  assert.ok(status === 200 || body.error === "invalid_grant", `${status} ${body.error}`);
  return body.refresh_token;
}

/** The user takes everything from the client, as on the page of applications with access. */
export async function takeAway(server: OidcServer, { clientId }: TestClient, { userId }: Person): Promise<void> {
  await revokeOwnClient(server.app.domain, await personCall(server, userId), { clientId });
}
