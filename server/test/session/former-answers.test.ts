import assert from "node:assert/strict";
import { provenAttempt } from "../identity-provider/attempts.ts";
import { addStaff, bodyAt, createTrust } from "../identity-provider/trusted.ts";
import { isBack, signedIn, visit } from "../login/support/sign-in.ts";
import { startTestProvider, type TestProvider } from "../support/identity-provider/test-provider.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addPerson, type Person } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";

const minute = 60_000;
const questionPath = "/ui/login/external";

const post = async (server: TestServer, path: string, body: object = {}): Promise<void> => {
  const answer = await server.rest("POST", path, { body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
};

interface Closing {
  readonly server: TestServer;
  readonly vera: Person;
  /** A browser in which the user is signed in. */
  readonly own: TestBrowser;
}

/** What ends the sign-ins of a user that are under way. */
const closings: Readonly<Record<string, (input: Closing) => Promise<void>>> = {
  "a lock": async ({ server, vera }) => {
    await post(server, `/v2/users/${vera.userId}/lock`);
    await post(server, `/v2/users/${vera.userId}/unlock`);
  },
  "a deactivation": async ({ server, vera }) => {
    await post(server, `/v2/users/${vera.userId}/deactivate`);
    await post(server, `/v2/users/${vera.userId}/reactivate`);
  },
  "a new password": ({ server, vera }) =>
    post(server, `/v2/users/${vera.userId}/password`, {
      newPassword: { password: "an entirely different password 77" },
    }),
  "signing out everywhere": async ({ own }) => {
    const page = await own.open("/ui/account/sessions");
    const done = await own.submit(page, {}, { action: "/sessions/end-others" });
    assert.equal(done.status, 200, done.html);
  },
  "the acceptance of an appointment": async ({ server, vera, own }) => {
    const { organizationId, token } = await addOwnedOrganization(server, `Of ${vera.userId}`);
    const body = { userId: vera.userId, resource: { organizationId }, roles: ["ORG_OWNER"] };
    const service = "service.internal_permission.v2.InternalPermissionService";
    const made = await server.connect(`${service}/CreateAdministrator`, body, { token });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const list = await own.open("/ui/account/appointments");
    const href = /href="(\/ui\/account\/appointments\/accept[^"]*)"/.exec(list.html)?.[1] ?? "";
    const question = await own.open(href.replaceAll("&amp;", "&"));
    assert.ok((await own.submit(question)).html.includes("Roles: <bdi>ORG_OWNER</bdi>"));
  },
};

/** What leaves them alone. */
const others: Readonly<Record<string, (input: Closing) => Promise<void>>> = {
  nothing: () => Promise.resolve(),
  "a lock of another user": async ({ server, vera }) => {
    const walt = await addPerson(server, { username: `walt-${vera.userId}` });
    await post(server, `/v2/users/${walt.userId}/lock`);
  },
};

const signInAs = (provider: TestProvider, sub: string): void => {
  provider.user = { sub, email: "x@provider.example", email_verified: true };
};

/** Opens a session with an answer; returns its id, or the id of the refusal. */
async function openSession(server: TestServer, { userId }: Person, idpIntent: object) {
  const { status, body } = await server.rest("POST", "/v2/sessions", {
    body: { checks: { user: { userId }, idpIntent } },
  });
  return status === 201 || status === 200
    ? { sessionId: body.sessionId as string, refusal: undefined }
    : { sessionId: undefined, refusal: body.details?.[0]?.id as string };
}

serversInTurn((start, test) => {
  test("an answer from before what ended the user's sign-ins opens no session by the API", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const idp = await trust.addTo("", undefined, bodyAt(provider));
    for (const [index, [name, close]] of Object.entries({ ...closings, ...others }).entries()) {
      await t.test(name, async () => {
        const vera = await addPerson(server, { username: `vera-${index}` });
        const own = await signedIn(server, vera);
        await signedIn(server, vera);
        assert.equal(await trust.link(vera.userId, idp, vera.userId), "200");
        signInAs(provider, vera.userId);
        server.clock.now += minute;
        const [former, again] = [
          await provenAttempt(server, provider, idp),
          await provenAttempt(server, provider, idp),
        ];
        server.clock.now += minute;
        await close({ server, vera, own });
        server.clock.now += 50 * minute;
        const opened = await openSession(server, vera, former);
        const isEnded = name in closings;
        assert.equal(opened.refusal, isEnded ? "identity_intent.invalid" : undefined);
        // Nor does it add to a session that is open.
        const named = await server.rest("POST", "/v2/sessions", {
          body: { checks: { user: { userId: vera.userId } } },
        });
        const added = await server.rest("PATCH", `/v2/sessions/${named.body.sessionId}`, {
          body: { sessionToken: named.body.sessionToken, checks: { idpIntent: again } },
        });
        assert.equal(added.body.details?.[0]?.id, isEnded ? "identity_intent.invalid" : undefined);
        const fresh = await openSession(server, vera, await provenAttempt(server, provider, idp));
        assert.equal(fresh.refusal, undefined);
      });
    }
  });

  test("an answer ends for users who were linked afterwards, and for clocks that differ a little", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const idp = await trust.addTo("", undefined, bodyAt(provider));
    const vera = await addPerson(server, { username: "vera" });
    signInAs(provider, "v");
    const lock = () => closings["a lock"]?.({ server, vera, own: new TestBrowser(server) });
    const [former, later] = [await provenAttempt(server, provider, idp), await provenAttempt(server, provider, idp)];
    server.clock.now += minute;
    await lock();
    assert.equal(await trust.link(vera.userId, idp, "v"), "200");
    assert.equal((await openSession(server, vera, former)).refusal, "identity_intent.invalid");
    // The node that ends them is two seconds behind the one that had the answer.
    const ahead = await provenAttempt(server, provider, idp);
    server.clock.now -= 2000;
    await lock();
    server.clock.now += minute;
    assert.equal((await openSession(server, vera, ahead)).refusal, "identity_intent.invalid");
    // Refused and expired are one: a refused answer was not used, and proves nothing later either.
    assert.equal((await openSession(server, vera, later)).refusal, "identity_intent.invalid");
    const fresh = await provenAttempt(server, provider, idp);
    assert.equal((await openSession(server, vera, fresh)).refusal, undefined);
  });

  test("an answer that waits on a page ends with the user's sign-ins", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const idp = await trust.addTo("", undefined, bodyAt(provider));
    const staff = await addStaff(server, "evil");
    const client = await addClient(server);
    const scope = `openid urn:service:iam:org:id:${staff.organizationId}`;
    for (const [index, [name, close]] of Object.entries({ ...closings, ...others }).entries()) {
      await t.test(name, async () => {
        const vera = await addPerson(server, { username: `vera-${index}`, organizationId: staff.organizationId });
        const own = await signedIn(server, vera);
        await signedIn(server, vera);
        assert.equal(await trust.link(vera.userId, idp, vera.userId, staff.owner.token), "200");
        signInAs(provider, vera.userId);
        const { browser, page } = await visit(server, client, { scope });
        const away = await browser.submit(page, { provider: idp }, { action: "/ui/login/provider" });
        const back = provider.signIn(away.address);
        const question = await browser.open(back.pathname + back.search);
        assert.ok(question.address.startsWith(questionPath), question.address);
        server.clock.now += 10_000;
        await close({ server, vera, own });
        server.clock.now += 4 * minute;
        const end = await browser.submit(question, {}, { action: questionPath });
        const isEnded = name in closings;
        assert.equal(isBack(end), !isEnded, end.html);
        // A user who administers another organization is no longer linked by the word of their own.
        const isTold = isEnded && name !== "the acceptance of an appointment";
        assert.equal(end.html.includes("has expired. Sign in there again."), isTold, end.html);
        const account = await browser.open("/ui/account");
        assert.equal(account.address.startsWith("/ui/account"), !isEnded, account.address);
      });
    }
  });

  test("what a provider said counts from the instant of its answer", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const idp = await trust.addTo("", undefined, bodyAt(provider));
    const vera = await addPerson(server, { username: "vera" });
    assert.equal(await trust.link(vera.userId, idp, vera.userId), "200");
    signInAs(provider, vera.userId);
    const answeredAt = server.clock.now;
    const answer = await provenAttempt(server, provider, idp);
    server.clock.now += 40 * minute;
    const { sessionId } = await openSession(server, vera, answer);
    const { body } = await server.rest("GET", `/v2/sessions/${sessionId}`, {});
    assert.equal(Date.parse(body.session.factors.intent.verifiedAt), answeredAt);
  });

  test("an answer that waited on a page is as old as it is", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const idp = await trust.addTo("", undefined, bodyAt(provider));
    const staff = await addStaff(server, "evil");
    const client = await addClient(server);
    const scope = `openid urn:service:iam:org:id:${staff.organizationId}`;
    const wait = async (name: string, milliseconds: number) => {
      const vera = await addPerson(server, { username: name, organizationId: staff.organizationId });
      assert.equal(await trust.link(vera.userId, idp, vera.userId, staff.owner.token), "200");
      signInAs(provider, vera.userId);
      const { browser, page, codeVerifier } = await visit(server, client, { scope });
      const away = await browser.submit(page, { provider: idp }, { action: "/ui/login/provider" });
      const back = provider.signIn(away.address);
      const question = await browser.open(back.pathname + back.search);
      const at = Math.floor(server.clock.now / 1000);
      server.clock.now += milliseconds;
      return { at, codeVerifier, end: await browser.submit(question, {}, { action: questionPath }) };
    };
    const { at, codeVerifier, end } = await wait("patient", 5 * minute);
    assert.ok(isBack(end), end.html);
    const { body } = await client.exchange(end.address, codeVerifier);
    const claims = JSON.parse(Buffer.from(String(body.id_token).split(".")[1] ?? "", "base64url").toString());
    assert.equal(claims.auth_time, at);
    // No longer than sign-ins at providers count for.
    await changeSettings(server, "login", { identityProviderIds: [idp], externalLoginCheckLifetimeSeconds: 240 });
    const late = await wait("late", 5 * minute);
    assert.ok(!isBack(late.end) && late.end.html.includes("This sign-in has ended"), late.end.html);
    assert.ok(isBack((await wait("early", 3 * minute)).end));
  });
});
