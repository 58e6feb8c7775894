import assert from "node:assert/strict";
import { callUser } from "../../factor/support.ts";
import { bodyAt, createTrust } from "../../identity-provider/trusted.ts";
import type { TestProvider } from "../../support/identity-provider/test-provider.ts";
import { appoint } from "../../support/people/people.ts";
import type { TestServer } from "../../support/servers/server.ts";

/** Makes a user without a password, and appoints them. */
export async function addBare(
  server: TestServer,
  organizationId: string,
  bare: { readonly username: string; readonly email?: string; readonly isVerified?: boolean },
  resource: object,
  role: string,
): Promise<{ readonly userId: string; readonly email: string }> {
  const { username, email = `${username}@mail.example`, isVerified = true } = bare;
  const { id: userId } = await callUser(server, "CreateUser", {
    organizationId,
    username,
    human: { profile: { givenName: username, familyName: "Owner" }, email: { email, isVerified } },
  });
  await appoint(server, { userId }, resource, [role]);
  return { userId, email };
}

/** Adds a provider of an organization, or of the instance when the id is empty, and links an account of the user. */
export async function linked(
  server: TestServer,
  organizationId: string,
  { provider, userId }: { readonly provider: TestProvider; readonly userId: string },
): Promise<string> {
  const trust = createTrust(server);
  const idpId = await trust.addTo(organizationId, undefined, bodyAt(provider));
  provider.user = { ...provider.user, sub: userId, email: `${userId}@provider.example`, email_verified: true };
  assert.equal(await trust.link(userId, idpId, userId), "200");
  return idpId;
}
