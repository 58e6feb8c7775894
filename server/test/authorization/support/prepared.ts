import assert from "node:assert/strict";
import type { Sql } from "../../../src/database/index.ts";
import { keysAt } from "../../factor/key-support.ts";
import { callUser, inboxOf } from "../../factor/support.ts";
import { arrive } from "../../identity-provider/attempts.ts";
import { createTrust, type Staff } from "../../identity-provider/trusted.ts";
import type { TestProvider } from "../../support/identity-provider/test-provider.ts";
import { testCall } from "../../support/operations/call.ts";
import { goodPassword, type Person } from "../../support/people/people.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { createAuthenticator } from "../../support/sign-in/authenticator.ts";

/** A password of a user's own. */
export const ownPassword = "another long sentence for it";

/** Makes a user of an organization with a password, with the token of an administrator. */
export async function make(
  server: TestServer,
  { organizationId }: Pick<Staff, "organizationId">,
  username: string,
  token: string,
  password: object = { password: goodPassword },
): Promise<Person> {
  const human = {
    profile: { givenName: username, familyName: "Prepared" },
    email: { email: `${username}@mail.example`, isVerified: true },
    password,
  };
  const made = await server.rest("POST", "/v2/users/new", { body: { organizationId, username, human }, token });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const userId = String(made.body.id);
  const read = await server.connect("service.user.v2.UserService/GetUserByID", { userId });
  return { userId, organizationId, loginName: read.body.user.preferredLoginName, password: goodPassword };
}

/** Whether the token of a session works. */
export const lives = async (server: TestServer, token: string): Promise<boolean> =>
  (await server.rest("GET", "/auth/v1/users/me", { token })).status === 200;

/** Gives the user a password that they alone know, by a code in a message. */
export async function chooseByCode(server: TestServer, { userId, loginName }: Person): Promise<void> {
  await server.rest("POST", `/v2/users/${userId}/password_reset`, { body: { sendLink: {} } });
  const [mail] = await inboxOf(server, `${loginName.split("@")[0]}@mail.example`);
  const verificationCode = /[?&;]code=(\w+)/.exec(JSON.stringify(mail))?.[1];
  const body = { newPassword: { password: ownPassword }, verificationCode };
  const chosen = await server.rest("POST", `/v2/users/${userId}/password`, { body });
  assert.equal(chosen.status, 200, JSON.stringify(chosen.body));
}

/** Registers a passkey in the session of a token; returns a way to open sessions with it. */
export async function addPasskey(server: TestServer, userId: string, token: string) {
  const keys = keysAt(server);
  const device = createAuthenticator({ origin: server.origin });
  const begun = await callUser(server, "RegisterPasskey", { userId, domain: "" }, token);
  const { method, body } = keys.finish(userId, begun, device.create(begun.publicKeyCredentialCreationOptions));
  await callUser(server, method, body);
  return async (): Promise<string> => {
    const sessionId = await keys.sessionFor(userId);
    const answered = await keys.answer(sessionId, device.get(await keys.challenge(sessionId)));
    assert.equal(answered.status, 200, JSON.stringify(answered.body));
    return answered.body.sessionToken;
  };
}

/** Links an account at a provider to a user by the API, in the session of a token; returns `200` or the refusal. */
export async function linkInSession(
  server: TestServer,
  { userId, token }: { readonly userId: string; readonly token: string },
  { provider, idpId, sub }: { readonly provider: TestProvider; readonly idpId: string; readonly sub: string },
): Promise<string> {
  provider.user = { sub, preferred_username: sub, email: `${sub}@provider.example`, email_verified: true };
  const urls = { successUrl: `${server.origin}/good`, failureUrl: `${server.origin}/bad` };
  const begun = await server.rest("POST", "/v2/idp_intents", { body: { idpId, urls }, token });
  const { parameters } = await arrive(provider.signIn(begun.body.authUrl));
  const body = { idpIntentToken: parameters["token"] };
  const read = await server.rest("POST", `/v2/idp_intents/${parameters["id"]}`, { body, token });
  assert.equal(read.status, 200, JSON.stringify(read.body));
  return createTrust(server).link(userId, idpId, sub, token);
}

/** Writes into the database what only former versions wrote. */
export async function touch(server: TestServer, statement: Sql): Promise<void> {
  const { database, findInstanceByHost } = server.app.domain;
  const instanceId = (await findInstanceByHost("localhost"))?.instanceId ?? "";
  await database.touch(testCall({ instanceId, now: server.clock.now }), (tx) => tx.run(statement));
}
