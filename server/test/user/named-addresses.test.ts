import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { inboxOf } from "../factor/support.ts";
import { addStaff, bodyAt, createTrust, openOptions, type Staff } from "../identity-provider/trusted.ts";
import { visit } from "../login/support/sign-in.ts";
import { grace, messagesTo } from "../login/support/sign-up.ts";
import { engineOf, isTurnOf } from "../support/databases/turns.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { testCall } from "../support/operations/call.ts";
import { addPerson, appoint, defaultOrganization, goodPassword, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { createMake, type Kind, kinds, type Made, sentTo, slug } from "./sent-codes.ts";

const unlimited = { config: { messageLimits: { email: 100_000, sms: 100_000 } } };
const refused = "user.code_invalid";
const notTrusted = "user.recipient_not_trusted";
const ownNotTrusted = "user.sign_in_not_trusted";

async function touch(server: TestServer, statement: ReturnType<typeof sql>): Promise<void> {
  const { database } = server.app.domain;
  const instanceId = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? "";
  await database.touch(testCall({ instanceId, now: server.clock.now }), (tx) => tx.run(statement));
}

async function isSent(server: TestServer, recipient: string, request: () => Promise<unknown>): Promise<boolean> {
  server.clock.now += 120_000;
  const before = (await inboxOf(server, recipient)).length;
  await request();
  return (await inboxOf(server, recipient)).length > before;
}

eachServer((start) => {
  test("a code by message lets in where the author of its recipient, or its sender, held what the user does", async (t) => {
    const server = await start(t, unlimited);
    const { loginToken } = await setUpOidc(server);
    const make = createMake(server);
    const acme = await addStaff(server, "acme");
    const promotions: readonly (readonly [rank: number, resource: object, role: string] | undefined)[] = [
      undefined,
      [1, { organizationId: acme.organizationId }, "ORG_OWNER"],
      [2, { instance: true }, "IAM_OWNER"],
    ];
    const authors = [
      ["ORG_USER_MANAGER", 0, acme.clerk.token],
      ["ORG_OWNER", 1, acme.owner.token],
      // A sign-in application passes on what the user enters.
      ["the user", 9, loginToken],
    ] as const;
    const senders = [
      ["ORG_USER_MANAGER", 0, acme.clerk.token],
      ["ORG_OWNER", 1, acme.owner.token],
      ["IAM_OWNER", 2, acme.boss.token],
    ] as const;
    for (const [name, kind] of Object.entries<Kind>(kinds)) {
      for (const [author, rankOfAuthor, naming] of authors) {
        for (const [sender, rankOfSender, sending] of senders) {
          if (kind.isForOwners === true && rankOfSender === 0) continue;
          // All of them for one kind, as one rule is asked for every kind.
          if (name !== "invitation" && (rankOfAuthor === 1 || (rankOfSender === 1 && kind.isForOwners !== true)))
            continue;
          const { hasPassword, isVerified = false } = kind;
          for (const promotion of promotions) {
            const [rank = 0, resource = {}, role = "nothing"] = promotion ?? [];
            const what = `${name} to what ${author} named, sent by ${sender}, then ${role}`;
            if (!isTurnOf(engineOf(server.location), what)) continue;
            await t.test(what, async () => {
              const user = await make(acme.organizationId, naming, { hasPassword, isVerified });
              assert.equal(await kind.send(server, user, sending), "done");
              if (promotion !== undefined) await appoint(server, user, resource, [role]);
              const isGood = rank === 0 || rankOfAuthor >= rank || rankOfSender >= rank;
              assert.equal(await kind.use(server, user), isGood ? "done" : refused);
              if (isGood) return;
              server.clock.now += 120_000;
              assert.equal(await kind.send(server, user, acme.boss.token), "done", "a greater one sends it again");
              assert.equal(await kind.use(server, user), "done");
            });
          }
        }
      }
    }
  });

  test("an administrator with fewer rights can send nothing to an address that such an administrator named", async (t) => {
    const server = await start(t, unlimited);
    const { loginToken } = await setUpOidc(server);
    const make = createMake(server);
    const acme = await addStaff(server, "acme");
    const other = await addStaff(server, "other");
    for (const name of ["invitation", "code of an address", "code of a number"] as const) {
      const kind = kinds[name];
      for (const [author, token] of Object.entries({ clerk: acme.clerk.token, user: loginToken })) {
        await t.test(`${name}, named by the ${author}`, async () => {
          const user = await make(acme.organizationId, token, kind);
          assert.equal(await kind.send(server, user, acme.clerk.token), "done", "the user administers nothing");
          // The home organization still acts for the user; what they administer elsewhere is not its own.
          await appoint(server, user, { organizationId: other.organizationId }, ["ORG_OWNER"]);
          assert.equal(await kind.send(server, user, acme.clerk.token), author === "user" ? "done" : notTrusted);
          server.clock.now += 600_000;
          assert.equal(await kind.send(server, user, acme.boss.token), "done");
          assert.equal(await kind.use(server, user), "done");
        });
      }
    }
  });

  test("a code that confirmed the address before the appointment counts, and one after it only for its author", async (t) => {
    const server = await start(t, unlimited);
    const make = createMake(server);
    const acme = await addStaff(server, "acme");
    const { "code of an address": address, "new password": reset } = kinds;
    const promote = (user: Made) => appoint(server, user, { instance: true }, ["IAM_OWNER"]);

    const early = await make(acme.organizationId, acme.clerk.token);
    assert.equal(await address.use(server, early), "done");
    assert.equal(await reset.send(server, early, acme.clerk.token), "done");
    await promote(early);
    assert.equal(await reset.use(server, early), "done");

    const late = await make(acme.organizationId, acme.clerk.token);
    await promote(late);
    assert.equal(await address.use(server, late), refused);
    // What the user asks for themselves, signed in, is as good as their session.
    const { token: prepared } = await sessionOf(server, late);
    assert.equal(await address.send(server, late, prepared), ownNotTrusted, "the clerk knows the password");
    const { token } = await sessionByOwner(server, late);
    assert.equal(await address.send(server, late, token), "done");
    assert.equal(await address.use(server, late), "done");
  });

  test("an address that a sign-in application names is as good as the sessions in which it does", async (t) => {
    const server = await start(t, unlimited);
    const { loginToken } = await setUpOidc(server);
    const make = createMake(server);
    const acme = await addStaff(server, "acme");
    const { "code of an address": address } = kinds;
    for (const author of ["clerk", "boss"] as const) {
      await t.test(`with a password of the ${author}`, async () => {
        const { userId, password, ...user } = await make(acme.organizationId, acme[author].token);
        const checks = { user: { userId }, password: { password } };
        const made = await server.rest("POST", "/v2/sessions", { token: loginToken, body: { checks } });
        assert.equal(made.status, 201, JSON.stringify(made.body));
        const named = { ...user, userId, password, email: `box-of-${author}@mail.example` };
        const body = { email: named.email, sendCode: {} };
        assert.equal(await slug(server, `/v2/users/${userId}/email`, body, loginToken), "done");
        await appoint(server, named, { instance: true }, ["IAM_OWNER"]);
        assert.equal(await address.use(server, named), author === "clerk" ? refused : "done");
      });
    }
  });

  test("naming the same address again makes it the user's, or that of an administrator where the former is not enough", async (t) => {
    const server = await start(t, unlimited);
    const make = createMake(server);
    const acme = await addStaff(server, "acme");
    const { "code of an address": address } = kinds;
    const promote = (user: Made) => appoint(server, user, { organizationId: acme.organizationId }, ["ORG_OWNER"]);
    const again = ({ userId, email }: Made, token: string) =>
      slug(server, `/v2/users/${userId}/email`, { email, sendCode: {} }, token);
    /** Asks for the code again as a stranger does, on its page. */
    const byPage = (user: Made) =>
      isSent(server, user.email, async () => {
        const browser = new TestBrowser(server);
        const page = await browser.open(`/ui/login/verify-email?user=${user.userId}`);
        await browser.submit(page, {}, { action: "/resend" });
      });

    const kept = await make(acme.organizationId, acme.owner.token);
    assert.equal(await again(kept, acme.clerk.token), "done");
    await promote(kept);
    assert.equal(await byPage(kept), true, "a lesser administrator who repeats it takes nothing");

    const raised = await make(acme.organizationId, acme.clerk.token);
    assert.equal(await byPage(raised), true, "the user administers nothing");
    await promote(raised);
    assert.equal(await byPage(raised), false);
    assert.equal(await address.use(server, raised), refused);
    assert.equal(await again(raised, acme.owner.token), "done");
    assert.equal(await byPage(raised), true);
    const own = await make(acme.organizationId, acme.clerk.token);
    assert.equal(await again(own, (await sessionByOwner(server, own)).token), "done");
    await promote(own);
    assert.equal(await byPage(own), true);

    // The former sender answers for the mailbox while that code works, and no longer.
    await appoint(server, kept, { instance: true }, ["IAM_OWNER"]);
    assert.equal(await byPage(kept), false);
    assert.equal(await again(kept, acme.boss.token), "done");
    await touch(server, sql`update users set email_author = '[]' where user_id = ${kept.userId}`);
    assert.equal(await byPage(kept), true);
    server.clock.now += 3_600_000 * 24 * 3;
    assert.equal(await byPage(kept), false);
  });

  test("no page sends an appointed user a code to what a lesser administrator named", async (t) => {
    const server = await start(t, unlimited);
    const make = createMake(server);
    const acme = await addStaff(server, "acme");
    const promote = (user: Made) => appoint(server, user, { instance: true }, ["IAM_OWNER"]);

    await t.test("an invitation again", async () => {
      const { invitation } = kinds;
      const user = await make(acme.organizationId, acme.clerk.token, invitation);
      assert.equal(await invitation.send(server, user, acme.clerk.token), "done");
      const again = () =>
        isSent(server, user.email, async () => {
          const browser = new TestBrowser(server);
          const page = await browser.open(`/ui/login/invitation?user=${user.userId}`);
          const entered = { code: "WRONG1", new_password: goodPassword, new_password_repeated: goodPassword };
          const wrong = await browser.submit(page, entered, { action: "/ui/login/invitation?" });
          await browser.submit(wrong, {}, { action: "/again" });
        });
      assert.equal(await again(), true);
      await promote(user);
      assert.equal(await again(), false);
      const path = `/v2/users/${user.userId}/invite_code/resend`;
      assert.equal(await slug(server, path, {}, acme.boss.token), "done");
      assert.equal(await again(), true, "to the mailbox that the greater administrator chose, while that code works");
      assert.equal(await invitation.use(server, user), "done");
    });

    await t.test("the code of a number again", async () => {
      const user = await make(acme.organizationId, acme.clerk.token);
      const again = () =>
        isSent(server, user.phone, async () => {
          const browser = new TestBrowser(server);
          const page = await browser.open(`/ui/login/verify-phone?user=${user.userId}`);
          await browser.submit(page, {}, { action: "/resend" });
        });
      assert.equal(await again(), true);
      await promote(user);
      assert.equal(await again(), false);
    });

    await t.test("registering with the address, of an account that is named after it", async () => {
      const organizationId = await defaultOrganization(server);
      const clerk = await addPerson(server, { username: "home-clerk", organizationId });
      await appoint(server, clerk, { organizationId }, ["ORG_USER_MANAGER"]);
      const { token } = await sessionOf(server, clerk);
      const client = await addClient(server);
      for (const isAppointed of [false, true]) {
        const email = `named-${isAppointed}@mail.example`;
        const user = await make(organizationId, token, { username: email, hasPhone: false });
        if (isAppointed) await promote(user);
        const before = (await messagesTo(server, email)).length;
        const { browser, page } = await visit(server, client, { prompt: "create" });
        await browser.submit(page, { ...grace, email });
        const messages = await messagesTo(server, email);
        const added = messages.slice(0, messages.length - before).map(({ kind }) => kind);
        assert.deepEqual(added, isAppointed ? [] : ["initialization"]);
      }
    });

    await t.test("the message with which an account of the first generation begins", async () => {
      for (const isAppointed of [false, true]) {
        const email = `first-${isAppointed}@mail.example`;
        const profile = { firstName: "Vera", lastName: "Named" };
        const made = await server.rest("POST", "/management/v1/users/human", {
          body: { userName: `first-${isAppointed}`, profile, email: { email } },
          token: acme.clerk.token,
          headers: { "x-zitadel-orgid": acme.organizationId },
        });
        assert.equal(made.status, 200, JSON.stringify(made.body));
        const { userId } = made.body;
        const code = await sentTo(server, email);
        if (isAppointed) await appoint(server, { userId }, { instance: true }, ["IAM_OWNER"]);
        const browser = new TestBrowser(server);
        const page = await browser.open(`/ui/login/initialization?user=${userId}&code=${code}`);
        const chosen = { new_password: goodPassword, new_password_repeated: goodPassword };
        const end = await browser.submit(page, chosen);
        if (isAppointed) assert.match(end.html, /This code is not valid/);
        else assert.match(end.address, /password-set/);
      }
    });
  });

  test("an address that a provider says is named by those who answer for the provider", async (t) => {
    const server = await start(t, unlimited);
    const acme = await addStaff(server, "acme");
    const trust = createTrust(server);
    const said = async (staff: Staff["owner"], sub: string): Promise<string | null> => {
      const provider = await startTestProvider(t, () => server.clock.now);
      const body = bodyAt(provider, { ...openOptions, isAutoCreation: true });
      const idpId = await trust.addTo(acme.organizationId, staff.token, body);
      provider.user = { sub, email: `${sub}@mail.example`, email_verified: true, given_name: "A", family_name: "B" };
      await trust.throughPages(acme.organizationId, idpId, provider);
      const { database } = server.app.domain;
      const row = await database.read.maybe<{ author: string }>(
        sql`select email_author as "author" from users where email = ${`${sub}@mail.example`}`,
      );
      return row?.author ?? null;
    };
    const byOwner = await said(acme.owner, "paul");
    const byManager = await said(acme.manager, "mara");
    assert.match(byOwner ?? "", /"level":"organization".*"user.credential.write"/);
    assert.match(byManager ?? "", /"level":"organization"/);
    assert.doesNotMatch(byManager ?? "", /"user.credential.write"/);
  });

  test("an address from before was named by the administrator who verified it, otherwise by an owner", async (t) => {
    const server = await start(t, unlimited);
    const make = createMake(server);
    const acme = await addStaff(server, "acme");
    const { "code of an address": address } = kinds;
    for (const [role, resource, expected] of [
      ["ORG_OWNER", { organizationId: acme.organizationId }, "done"],
      ["IAM_OWNER", { instance: true }, refused],
    ] as const) {
      const user = await make(acme.organizationId, acme.clerk.token);
      await touch(server, sql`update users set email_author = null where user_id = ${user.userId}`);
      await appoint(server, user, resource, [role]);
      assert.equal(await address.use(server, user), expected);
    }
  });
});

/** A session of a user by a password that an owner of the instance has set. */
async function sessionByOwner(server: TestServer, user: Made): Promise<{ token: string }> {
  const { status } = await server.rest("POST", `/v2/users/${user.userId}/password`, {
    body: { newPassword: { password: user.password } },
  });
  assert.equal(status, 200);
  return sessionOf(server, user);
}
