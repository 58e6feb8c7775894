import assert from "node:assert/strict";
import { keysAt } from "../factor/key-support.ts";
import { callUser, inboxOf, slugOf } from "../factor/support.ts";
import { addStaff, bodyAt, createTrust, isIn } from "../identity-provider/trusted.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { appoint, sessionOf } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { createAuthenticator } from "../support/sign-in/authenticator.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { createMake, kinds, type Made, sentTo, slug } from "../user/sent-codes.ts";
import { linkInSession, lives, ownPassword } from "./support/prepared.ts";

const unlimited = { config: { messageLimits: { email: 100_000, sms: 100_000 } } };

/** Sets a password with the code of a message, and signs in with it. */
async function choose(server: TestServer, user: Made, verificationCode: string): Promise<string> {
  const body = { newPassword: { password: ownPassword }, verificationCode };
  assert.equal(await slug(server, `/v2/users/${user.userId}/password`, body), "done");
  return (await sessionOf(server, { ...user, password: ownPassword })).token;
}

/** Registers a passkey with the link of the last message, and signs in with it. */
async function register(server: TestServer, user: Made): Promise<string> {
  const [mail] = await inboxOf(server, user.email);
  const [id, code] = ["id", "code"].map((name) => new RegExp(`[?&;]${name}=([\\w-]+)`).exec(JSON.stringify(mail))?.[1]);
  const { userId } = user;
  const keys = keysAt(server);
  const device = createAuthenticator({ origin: server.origin });
  const begun = await server.connect("service.user.v2.UserService/RegisterPasskey", {
    userId,
    domain: "",
    code: { id, code },
  });
  assert.equal(begun.status, 200, JSON.stringify(begun.body));
  const answer = device.create(begun.body.publicKeyCredentialCreationOptions);
  const { method, body } = keys.finish(userId, begun.body, answer);
  await callUser(server, method, body);
  const sessionId = await keys.sessionFor(userId);
  const answered = await keys.answer(sessionId, device.get(await keys.challenge(sessionId)));
  return answered.body.sessionToken;
}

/** The ways in which a message lets its reader in: each returns the token of a session that it opened. */
const openings = {
  "a new password by email": async (server, user, sender) => {
    assert.equal(await kinds["new password"].send(server, user, sender), "done");
    return choose(server, user, await sentTo(server, user.email));
  },
  "a new password by text message": async (server, user, sender) => {
    const path = `/v2/users/${user.userId}`;
    assert.equal(await slug(server, `${path}/phone`, { phone: user.phone, isVerified: true }, sender), "done");
    const sms = { sendLink: { notificationType: "NOTIFICATION_TYPE_SMS" } };
    assert.equal(await slug(server, `${path}/password_reset`, sms, sender), "done");
    return choose(server, user, await sentTo(server, user.phone));
  },
  "a link for a passkey": async (server, user, sender) => {
    assert.equal(await kinds["link for a passkey"].send(server, user, sender), "done");
    return register(server, user);
  },
} satisfies Record<string, (server: TestServer, user: Made, sender: string) => Promise<string>>;

const byEmail = openings["a new password by email"];

serversInTurn((start, test, both) => {
  test("what a message opened is as good as its recipient: the user's own, or its author's", async (t) => {
    const server = await start(t, unlimited);
    const { loginToken } = await setUpOidc(server);
    const make = createMake(server);
    const acme = await addStaff(server, "acme");
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const idpId = await trust.addTo("", undefined, bodyAt(provider));
    let count = 0;
    /** Whether the session that a message opened lives on, and the account that was linked in it signs in. */
    const keeps = async (token: string, { userId }: Made, sub: string): Promise<boolean> => {
      const isAlive = await lives(server, token);
      const [link] = await trust.links(userId);
      assert.equal(link?.suspended !== true, isAlive, "the link is as good as the session");
      provider.user = { sub, email: `${sub}@provider.example`, email_verified: true };
      assert.equal(isIn(await trust.throughPages("", idpId, provider)), isAlive);
      return isAlive;
    };
    const replace = async ({ userId }: Made, address: string, token: string) =>
      assert.equal(
        await slug(server, `/v2/users/${userId}/email`, { email: address, isVerified: true }, token),
        "done",
      );
    const instance = { instance: true };
    const here = { organizationId: acme.organizationId };
    // Who named the address, whether another takes its place, what the user is appointed to, and whether that is kept.
    const cases = [
      ["owner", "replaced", instance, "IAM_OWNER", () => false],
      ["owner", "replaced", here, "ORG_OWNER", () => true],
      // A code that was entered confirms the address, which counts as long as the user has it.
      ["owner", "kept", instance, "IAM_OWNER", (name: string) => name === "a new password by email"],
      ["boss", "replaced", instance, "IAM_OWNER", () => true],
      ["user", "replaced", instance, "IAM_OWNER", () => true],
    ] as const;
    for (const [name, open] of Object.entries(openings)) {
      for (const [author, fate, resource, role, isKept] of cases) {
        await t.test(`${name} to what the ${author} named, ${fate}, then ${role}`, async () => {
          const sub = `opened-${++count}`;
          const naming = author === "user" ? loginToken : acme[author].token;
          const user = await make(acme.organizationId, naming, { isVerified: true });
          const sender = author === "boss" ? acme.boss.token : acme.owner.token;
          const token = await open(server, user, sender);
          assert.equal(await linkInSession(server, { ...user, token }, { provider, idpId, sub }), "200");
          if (fate === "replaced") await replace(user, `real-${sub}@mail.example`, sender);
          await appoint(server, user, resource, [role]);
          assert.equal(await keeps(token, user, sub), isKept(name));
        });
      }
    }

    await t.test("an address that was named in such a session is no better", async () => {
      const user = await make(acme.organizationId, acme.clerk.token, { isVerified: true });
      const first = await byEmail(server, user, acme.clerk.token);
      const second = { ...user, email: "second-box@mail.example" };
      const named = { email: second.email, sendCode: {} };
      assert.equal(await slug(server, `/v2/users/${user.userId}/email`, named, first), "done");
      assert.equal(await kinds["code of an address"].use(server, second), "done");
      const token = await byEmail(server, second, acme.clerk.token);
      assert.equal(await linkInSession(server, { ...user, token }, { provider, idpId, sub: "second" }), "200");
      await replace(user, "real-second@mail.example", acme.clerk.token);
      await appoint(server, user, instance, ["IAM_OWNER"]);
      assert.equal(await keeps(token, user, "second"), false);
    });

    await t.test("nor is a link for a passkey that is sent in a session which others could have opened", async () => {
      const user = await make(acme.organizationId, acme.clerk.token, { isVerified: true });
      const { token } = await sessionOf(server, user);
      const sent = await server.rest("POST", "/auth/v1/users/me/passwordless/_send_link", { body: {}, token });
      assert.equal(slugOf(sent), "done");
      const opened = await register(server, user);
      await appoint(server, user, instance, ["IAM_OWNER"]);
      assert.equal(await lives(server, opened), false);
    });
  });

  both("an invited user who is appointed stays signed in, and replaces their address", async (t) => {
    const server = await start(t, unlimited);
    const make = createMake(server);
    const acme = await addStaff(server, "acme");
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const idpId = await trust.addTo("", undefined, bodyAt(provider));
    const user = await make(acme.organizationId, acme.clerk.token, { hasPassword: false });
    const { userId } = user;
    assert.equal(await kinds.invitation.send(server, user, acme.clerk.token), "done");
    const browser = new TestBrowser(server);
    const code = await sentTo(server, user.email);
    const page = await browser.open(`/ui/login/invitation?user=${userId}&code=${code}`);
    const chosen = { new_password: ownPassword, new_password_repeated: ownPassword };
    const end = await browser.submit(page, chosen, { action: "/ui/login/invitation?" });
    assert.match(end.address, /password-set/);
    const { token } = await sessionOf(server, { ...user, password: ownPassword });
    assert.equal(await linkInSession(server, { userId, token }, { provider, idpId, sub: "company" }), "200");

    await appoint(server, user, { organizationId: acme.organizationId }, ["ORG_OWNER"]);
    assert.equal(await lives(server, token), true);
    assert.equal(isIn(await trust.throughPages("", idpId, provider)), true);

    const own = { ...user, email: "own-choice@mail.example" };
    const named = { email: own.email, sendCode: {} };
    assert.equal(await slug(server, `/v2/users/${userId}/email`, named, token), "done");
    assert.equal(await kinds["code of an address"].send(server, own, token), "done");
    assert.equal(await kinds["code of an address"].use(server, own), "done");

    // The former address was the clerk's word, so what it opened is weighed again, until a message to the new one opens
    // more.
    assert.equal((await trust.links(userId))[0]?.suspended, true);
    server.clock.now += 120_000;
    const renewed = await byEmail(server, own, acme.boss.token);
    assert.equal(await linkInSession(server, { userId, token: renewed }, { provider, idpId, sub: "company" }), "200");
    assert.equal(isIn(await trust.throughPages("", idpId, provider)), true);
    assert.equal((await trust.links(userId))[0]?.suspended, undefined);
  });
});
