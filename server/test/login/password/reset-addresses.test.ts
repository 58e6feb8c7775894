import assert from "node:assert/strict";
import { sql } from "../../../src/database/index.ts";
import { inboxOf, slugOf } from "../../factor/support.ts";
import { addStaff, bodyAt, createTrust, type Staff } from "../../identity-provider/trusted.ts";
import { startTestProvider } from "../../support/identity-provider/test-provider.ts";
import { setUpOidc } from "../../support/oidc/oidc.ts";
import { testCall } from "../../support/operations/call.ts";
import { appoint, goodPassword, sessionOf } from "../../support/people/people.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";

interface Made {
  readonly userId: string;
  readonly organizationId: string;
  readonly loginName: string;
  readonly password: string;
  readonly email: string;
}

/** Makes a user whose address an administrator asserted to be verified. */
async function make(server: TestServer, { organizationId }: Staff, username: string, token: string): Promise<Made> {
  const email = `${username}@mail.example`;
  const human = {
    profile: { givenName: username, familyName: "Vouched" },
    email: { email, isVerified: true },
    password: { password: goodPassword },
  };
  const made = await server.rest("POST", "/v2/users/new", { body: { organizationId, username, human }, token });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const userId = String(made.body.id);
  const read = await server.connect("service.user.v2.UserService/GetUserByID", { userId });
  return { userId, organizationId, loginName: read.body.user.preferredLoginName, password: goodPassword, email };
}

/** Asks for a new password on the pages; returns what they show, without the name, and whether a message was sent. */
async function forget(server: TestServer, { loginName, email }: Pick<Made, "loginName" | "email">) {
  server.clock.now += 120_000;
  const before = (await inboxOf(server, email)).length;
  const browser = new TestBrowser(server);
  const page = await browser.open("/ui/login");
  const password = await browser.submit(page, { login_name: loginName });
  const asked = await browser.open(password.address.replace("/password", "/forgotten"));
  const sent = await browser.submit(asked, {});
  const shown = sent.html.replaceAll(loginName, "NAME").replace(/value="[^"]*"|again=\d+/g, "");
  return { shown, isSent: (await inboxOf(server, email)).length > before };
}

async function touch(server: TestServer, statement: ReturnType<typeof sql>): Promise<void> {
  const { database } = server.app.domain;
  const instanceId = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? "";
  await database.touch(testCall({ instanceId, now: server.clock.now }), (tx) => tx.run(statement));
}

const unlimited = { config: { messageLimits: { email: 100_000, sms: 100_000 } } };

serversInTurn((start, test) => {
  test("a reset goes to no address that only a lesser administrator verified", async (t) => {
    const server = await start(t, unlimited);
    const acme = await addStaff(server, "acme");
    const other = await addStaff(server, "other");
    const authors = { ORG_USER_MANAGER: acme.clerk, ORG_OWNER: acme.owner, IAM_OWNER: acme.boss };
    const promotions: Record<string, readonly [object, string] | undefined> = {
      none: undefined,
      "ORG_OWNER here": [{ organizationId: acme.organizationId }, "ORG_OWNER"],
      "ORG_OWNER elsewhere": [{ organizationId: other.organizationId }, "ORG_OWNER"],
      IAM_OWNER: [{ instance: true }, "IAM_OWNER"],
    };
    const enough: Record<string, readonly string[]> = {
      ORG_USER_MANAGER: ["none"],
      ORG_OWNER: ["none", "ORG_OWNER here"],
      IAM_OWNER: Object.keys(promotions),
    };
    const unknown = await forget(server, { loginName: "v-unknown", email: "v-unknown@mail.example" });
    assert.equal(unknown.isSent, false);
    let count = 0;
    for (const [author, { token }] of Object.entries(authors)) {
      for (const [promotion, position] of Object.entries(promotions)) {
        await t.test(`verified by ${author}, then ${promotion}`, async () => {
          const user = await make(server, acme, `v${++count}`, token);
          if (position !== undefined) await appoint(server, user, position[0], [position[1]]);
          const { shown, isSent } = await forget(server, user);
          assert.equal(isSent, enough[author]?.includes(promotion));
          assert.equal(shown, unknown.shown, "the page says the same");
        });
      }
    }
  });

  test("a better proof of the address lets the reset through again", async (t) => {
    const server = await start(t, unlimited);
    const acme = await addStaff(server, "acme");
    const promote = (user: Made) => appoint(server, user, { organizationId: acme.organizationId }, ["ORG_OWNER"]);
    const stuck = async (username: string) => {
      const user = await make(server, acme, username, acme.clerk.token);
      await promote(user);
      assert.equal((await forget(server, user)).isSent, false);
      return user;
    };

    await t.test("the word of an administrator who holds as much", async () => {
      const user = await stuck("vera");
      const again = (token: string) =>
        server.rest("POST", `/v2/users/${user.userId}/email`, { body: { email: user.email, isVerified: true }, token });
      assert.equal(slugOf(await again(acme.clerk.token)), "user.administers_more");
      assert.equal(slugOf(await again(acme.owner.token)), "done");
      assert.equal((await forget(server, user)).isSent, true);
    });

    await t.test("a code that the reader of the address entered", async () => {
      const user = await stuck("ivan");
      const path = `/v2/users/${user.userId}`;
      const sent = await server.rest("POST", `${path}/password_reset`, {
        body: { sendLink: {} },
        token: acme.owner.token,
      });
      assert.equal(sent.status, 200, JSON.stringify(sent.body));
      const [mail] = await inboxOf(server, user.email);
      const verificationCode = /[?&;]code=(\w+)/.exec(JSON.stringify(mail))?.[1];
      const body = { newPassword: { password: "another long sentence for it" }, verificationCode };
      assert.equal(slugOf(await server.rest("POST", `${path}/password`, { body })), "done");
      assert.equal((await forget(server, user)).isSent, true);
    });

    await t.test("another address of the user, proven by its code", async () => {
      const user = await stuck("nora");
      // In a session that the clerk could not have opened: by a password of an administrator who holds as much.
      const body = { newPassword: { password: user.password } };
      const set = await server.rest("POST", `/v2/users/${user.userId}/password`, { body, token: acme.owner.token });
      assert.equal(slugOf(set), "done");
      const { token } = await sessionOf(server, user);
      const email = "nora-herself@mail.example";
      const path = `/v2/users/${user.userId}/email`;
      assert.equal(slugOf(await server.rest("POST", path, { body: { email, sendCode: {} }, token })), "done");
      const [mail] = await inboxOf(server, email);
      const verificationCode = /[?&;]code=(\w+)/.exec(JSON.stringify(mail))?.[1];
      assert.equal(slugOf(await server.rest("POST", `${path}/verify`, { body: { verificationCode } })), "done");
      assert.equal((await forget(server, { ...user, email })).isSent, true);
    });

    await t.test("an address from before counts as verified by an owner", async () => {
      const user = await make(server, acme, "olga", acme.clerk.token);
      await touch(server, sql`update users set email_proof = null, email_author = null where user_id = ${user.userId}`);
      await promote(user);
      assert.equal((await forget(server, user)).isSent, true);
      await appoint(server, user, { instance: true }, ["IAM_OWNER_VIEWER"]);
      assert.equal((await forget(server, user)).isSent, false);
    });

    await t.test("the proof of a provider that may sign the user in", async () => {
      const provider = await startTestProvider(t, () => server.clock.now);
      const trust = createTrust(server);
      const ofAcme = await trust.addTo(acme.organizationId, acme.owner.token, bodyAt(provider));
      const user = await make(server, acme, "paul", acme.clerk.token);
      const proof = { by: "provider", identityProviderId: ofAcme, organizationId: acme.organizationId };
      await touch(server, sql`update users set email_proof = ${JSON.stringify(proof)} where user_id = ${user.userId}`);
      await promote(user);
      assert.equal((await forget(server, user)).isSent, true);
      await appoint(server, user, { instance: true }, ["IAM_OWNER_VIEWER"]);
      assert.equal((await forget(server, user)).isSent, false);
    });

    await t.test("but not once another server speaks for the provider", async () => {
      const now = () => server.clock.now;
      const [former, next] = [await startTestProvider(t, now), await startTestProvider(t, now)];
      const trust = createTrust(server);
      const idpId = await trust.addTo(acme.organizationId, acme.owner.token, bodyAt(former));
      const email = "quinn@mail.example";
      const made = await server.rest("POST", "/v2/users/human", {
        token: acme.owner.token,
        body: {
          organization: { orgId: acme.organizationId },
          username: "quinn",
          profile: { givenName: "Quinn", familyName: "Linked" },
          email: { email, isVerified: true },
          password: { password: goodPassword },
          idpLinks: [{ idpId, userId: "quinn", userName: "quinn" }],
        },
      });
      assert.ok(made.status < 300, JSON.stringify(made.body));
      const { userId } = made.body;
      const read = await server.connect("service.user.v2.UserService/GetUserByID", { userId });
      const quinn = {
        userId,
        organizationId: acme.organizationId,
        loginName: read.body.user.preferredLoginName,
        email,
      };
      await promote({ ...quinn, password: goodPassword });
      assert.equal((await forget(server, quinn)).isSent, true);
      const path = `/idps/generic_oidc/${idpId}`;
      assert.equal(await trust.manage(acme.organizationId, acme.owner.token, "PUT", path, bodyAt(next)), "200");
      assert.equal((await forget(server, quinn)).isSent, false);
    });
  });

  test("a reset by the API of a sign-in application, or of the user, goes to no such address either", async (t) => {
    const server = await start(t, unlimited);
    const { loginToken } = await setUpOidc(server);
    const acme = await addStaff(server, "acme");
    const ask = async (userId: string, token: string) =>
      slugOf(await server.rest("POST", `/v2/users/${userId}/password_reset`, { body: { sendLink: {} }, token }));
    for (const isGood of [true, false]) {
      const user = await make(server, acme, `api-${isGood}`, (isGood ? acme.boss : acme.clerk).token);
      await appoint(server, user, { organizationId: acme.organizationId }, ["ORG_OWNER"]);
      const { token } = await sessionOf(server, user);
      const expected = isGood ? "done" : "user.email_unverified";
      assert.deepEqual([await ask(user.userId, loginToken), await ask(user.userId, token)], [expected, expected]);
      assert.equal(await ask(user.userId, acme.owner.token), "done", "an administrator of as much chooses the address");
    }
    // The rights of an administrator end at home, and those of the user may not.
    const other = await addStaff(server, "other");
    const link = async (userId: string, token: string) => {
      const path = `/v2/users/${userId}/passkeys/registration_link`;
      return slugOf(await server.rest("POST", path, { body: { sendLink: {} }, token }));
    };
    for (const isGood of [true, false]) {
      const user = await make(server, acme, `elsewhere-${isGood}`, (isGood ? acme.boss : acme.clerk).token);
      assert.deepEqual(
        [await ask(user.userId, acme.clerk.token), await link(user.userId, acme.owner.token)],
        ["done", "done"],
      );
      await appoint(server, user, { organizationId: other.organizationId }, ["ORG_OWNER"]);
      const expected = isGood ? "done" : "user.email_unverified";
      assert.equal(await ask(user.userId, acme.clerk.token), expected, "a new password");
      assert.equal(await link(user.userId, acme.owner.token), expected, "a passkey");
      assert.deepEqual(
        [await ask(user.userId, acme.boss.token), await link(user.userId, acme.boss.token)],
        ["done", "done"],
      );
    }
    const read = await server.rest("POST", "/admin/v1/events/_search", { body: { limit: 1000, asc: true } });
    assert.doesNotMatch(JSON.stringify(read.body), /author"|preparedBy/, "events tell no author");
  });

  test("a reset goes to no number that only a lesser administrator named, even where its reader entered a code", async (t) => {
    const server = await start(t, unlimited);
    const { loginToken } = await setUpOidc(server);
    const acme = await addStaff(server, "acme");
    const sendLink = { notificationType: "NOTIFICATION_TYPE_SMS" };
    const codeTo = async (phone: string): Promise<string> => {
      const [message] = await inboxOf(server, phone);
      return /\b([0-9A-Z]{6})\b/.exec(message?.text ?? "")?.[1] ?? "";
    };
    for (const [index, [by, expected]] of (
      [
        ["the administrator", "user.phone_absent"],
        ["the user", "done"],
        ["an administrator of as much", "done"],
      ] as const
    ).entries()) {
      const namedBy = by === "an administrator of as much" ? acme.boss : acme.clerk;
      const user = await make(server, acme, `numbered-${index}`, acme.boss.token);
      const phone = `+4179123000${index}`;
      const { userId } = user;
      const set = await server.rest("POST", `/v2/users/${userId}/phone`, {
        body: { phone, sendCode: {} },
        token: namedBy.token,
      });
      assert.equal(set.status, 200, JSON.stringify(set.body));
      const { token } = by === "the user" ? await sessionOf(server, user) : namedBy;
      // As of a user who registered without an administrator.
      await touch(server, sql`update sessions set prepared_by = '[]' where user_id = ${userId}`);
      const body = { verificationCode: await codeTo(phone) };
      const verified = await server.rest("POST", `/v2/users/${userId}/phone/verify`, { body, token });
      assert.equal(verified.status, 200, JSON.stringify(verified.body));
      await appoint(server, user, { instance: true }, ["IAM_OWNER"]);
      server.clock.now += 120_000;
      const asked = await server.rest("POST", `/v2/users/${userId}/password_reset`, {
        body: { sendLink },
        token: loginToken,
      });
      assert.equal(slugOf(asked), expected, `confirmed by ${by}`);
    }
  });
});
