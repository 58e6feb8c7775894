import assert from "node:assert/strict";
import { callUser, refusalOf, slugOf } from "../factor/support.ts";
import { codeTo, messagesTo } from "../login/support/sign-up.ts";
import { addOwnedOrganization, addServiceAccount } from "../support/people/owners.ts";
import { appoint, sessionOf } from "../support/people/people.ts";
import { type Start, serversInTurn } from "../support/servers/each-server.ts";

const address = "vera@mail.example";
const known = "what mallory alone knows";
const unverified = "user.email_unverified";

/** What opens an account to the reader of a message, each with the token of a caller. */
const messages = ["PasswordReset", "CreatePasskeyRegistrationLink"] as const;

async function setUp(start: Start, t: Parameters<Start>[0]) {
  const server = await start(t);
  const acme = await addOwnedOrganization(server, "Acme");
  const { organizationId } = acme;
  const login = await addServiceAccount(server, organizationId, "custom-login");
  await appoint(server, login, { instance: true }, ["IAM_LOGIN_CLIENT"]);
  const make = async (token: string) => {
    const human = {
      profile: { givenName: "Vera", familyName: "Real" },
      email: { email: address, sendCode: {} },
      password: { password: known },
    };
    const { id: userId } = await callUser(server, "CreateUser", { organizationId, human }, token);
    const { user } = await callUser(server, "GetUserByID", { userId });
    const person = { userId, organizationId, loginName: user.preferredLoginName as string, password: known };
    const session = await sessionOf(server, person);
    /** What each message is answered with: by the application, an owner of the organization, and the user. */
    const send = async (method: (typeof messages)[number]) => {
      server.clock.now += 120_000;
      const link = { userId, sendLink: {} };
      const path = "/auth/v1/users/me/passwordless/_send_link";
      const { token: own } = await sessionOf(server, person);
      return {
        application: await refusalOf(server, method, link, login.token),
        owner: await refusalOf(server, method, link, acme.token),
        user:
          method === "PasswordReset"
            ? await refusalOf(server, method, link, own)
            : slugOf(await server.rest("POST", path, { body: {}, token: own })),
      };
    };
    return { userId, send, session };
  };
  return { server, acme, login, make };
}

serversInTurn((start, test) => {
  test("nothing that opens an account is sent to an address that strangers entered", async (t) => {
    const { server, login, make } = await setUp(start, t);
    const { userId, send } = await make(login.token);
    const verificationCode = await codeTo(server, address);
    for (const method of messages) {
      assert.deepEqual(await send(method), { application: unverified, owner: unverified, user: unverified }, method);
    }
    const kinds = (await messagesTo(server, address)).map(({ kind }) => kind);
    assert.deepEqual(kinds, ["email_verification"]);
    await callUser(server, "VerifyEmail", { userId, verificationCode }, login.token);
    for (const method of messages) {
      assert.deepEqual(await send(method), { application: "done", owner: "done", user: "done" }, `${method}, proven`);
    }
  });

  test("an administrator who manages the user answers for the address that such administrators named", async (t) => {
    const { acme, make } = await setUp(start, t);
    const { send } = await make(acme.token);
    for (const method of messages) {
      assert.deepEqual(await send(method), { application: unverified, owner: "done", user: unverified }, method);
    }
  });

  test("and for one that they call verified", async (t) => {
    const { server, acme, login, make } = await setUp(start, t);
    const { userId, send } = await make(login.token);
    await callUser(server, "SetEmail", { userId, email: address, isVerified: true }, acme.token);
    for (const method of messages) {
      assert.deepEqual(await send(method), { application: "done", owner: "done", user: "done" }, method);
    }
  });
});
