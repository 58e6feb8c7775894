import assert from "node:assert/strict";
import { callUser, inboxOf } from "../factor/support.ts";
import { enter, isBack, visit } from "../login/support/sign-in.ts";
import { addOrganization, addPerson, appoint, type Person } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";

const phones = { member: "+41791110001", owner: "+41791110002" } as const;

/** An organization with an ordinary user, and a user who administers the instance; each has a phone number. */
async function makeStage(server: TestServer) {
  const organizationId = await addOrganization(server, "Strict");
  const member = await addPerson(server, { username: "member", organizationId });
  const owner = await addPerson(server, { username: "owner", organizationId });
  await callUser(server, "SetPhone", { userId: member.userId, phone: phones.member, isVerified: true });
  await callUser(server, "SetPhone", { userId: owner.userId, phone: phones.owner, isVerified: true });
  await appoint(server, owner, { instance: true }, ["IAM_OWNER"]);
  return { organizationId, member, owner };
}

/** The page to which name and password lead a new browser, without an application. */
async function signIn(server: TestServer, person: Person, loginName = person.loginName): Promise<ShownPage> {
  const browser = new TestBrowser(server);
  return enter({ browser, page: await browser.open("/ui/login") }, { ...person, loginName });
}

const signsIn = async (server: TestServer, person: Person, loginName: string): Promise<boolean> =>
  (await signIn(server, person, loginName)).address === "/ui/login/signed-in";

/** Whether the password page offers a reset, and whether asking for one sends a message. */
async function resetOf(server: TestServer, username: string, loginName: string) {
  const messages = async () => (await inboxOf(server, `${username}@mail.example`)).length;
  const before = await messages();
  const browser = new TestBrowser(server);
  const password = await browser.submit(await browser.open("/ui/login"), { login_name: loginName });
  assert.match(password.address, /^\/ui\/login\/password/);
  const asked = await browser.open("/ui/login/forgotten");
  const isOffered = asked.address.startsWith("/ui/login/forgotten");
  assert.equal(password.html.includes("/ui/login/forgotten"), isOffered);
  if (isOffered) await browser.submit(asked, {});
  return { isOffered, isSent: (await messages()) > before };
}

const nothing = { isOffered: false, isSent: false };
const message = { isOffered: true, isSent: true };

serversInTurn((start, test) => {
  test("an organization does not take the password reset from administrators of the instance (N12)", async (t) => {
    const server = await start(t);
    const { organizationId, member, owner } = await makeStage(server);
    const resets = async () => {
      server.clock.now += 86_400_000;
      return {
        member: await resetOf(server, "member", member.loginName),
        owner: await resetOf(server, "owner", owner.loginName),
      };
    };
    await changeSettings(server, "login", { ignoreUnknownUsernames: false });
    assert.deepEqual(await resets(), { member: message, owner: message });
    await changeSettings(server, "login", { hidePasswordReset: true }, organizationId);
    assert.deepEqual(await resets(), { member: nothing, owner: message });
    await changeSettings(server, "login", { hidePasswordReset: true });
    await changeSettings(server, "login", { hidePasswordReset: false }, organizationId);
    assert.deepEqual(await resets(), { member: message, owner: nothing }, "nor does it offer what the instance hides");
  });

  test("a reset does not tell who administers the instance where unknown names look like others (N12)", async (t) => {
    const server = await start(t);
    const { organizationId, member, owner } = await makeStage(server);
    await changeSettings(server, "login", { ignoreUnknownUsernames: true, allowDomainDiscovery: true });
    await changeSettings(server, "login", { hidePasswordReset: true }, organizationId);
    const [, domain] = owner.loginName.split("@");
    for (const loginName of [member.loginName, owner.loginName, `unknown@${domain}`]) {
      assert.deepEqual(await resetOf(server, "owner", loginName), nothing, "the domain of the name decides");
    }
    const unsent = { isOffered: true, isSent: false };
    assert.deepEqual(await resetOf(server, "unknown", "unknown@mail.example"), unsent);
    assert.deepEqual(await resetOf(server, "member", "member@mail.example"), unsent);
    assert.deepEqual(await resetOf(server, "owner", "owner@mail.example"), message);
  });

  test("an organization does not decide which names administrators of the instance sign in with (N12)", async (t) => {
    const server = await start(t);
    const { organizationId, member, owner } = await makeStage(server);
    const names = async () => ({
      member: [
        await signsIn(server, member, "member@mail.example"),
        await signsIn(server, member, phones.member),
        await signsIn(server, member, member.loginName),
      ],
      owner: [
        await signsIn(server, owner, "owner@mail.example"),
        await signsIn(server, owner, phones.owner),
        await signsIn(server, owner, owner.loginName),
      ],
    });
    const all = [true, true, true];
    const onlyName = [false, false, true];
    const allowed = { disableLoginWithEmail: false, disableLoginWithPhone: false };
    const forbidden = { disableLoginWithEmail: true, disableLoginWithPhone: true };
    await changeSettings(server, "login", allowed);
    assert.deepEqual(await names(), { member: all, owner: all });
    await changeSettings(server, "login", forbidden, organizationId);
    assert.deepEqual(await names(), { member: onlyName, owner: all });
    await changeSettings(server, "login", forbidden);
    await changeSettings(server, "login", allowed, organizationId);
    assert.deepEqual(await names(), { member: all, owner: onlyName }, "nor does it allow what the instance forbids");
  });

  test("an organization cannot redirect the browsers of administrators of the instance (N12)", async (t) => {
    const server = await start(t);
    const { organizationId, member, owner } = await makeStage(server);
    await changeSettings(server, "login", { defaultRedirectUri: "https://strict.example/" }, organizationId);
    assert.equal((await signIn(server, member)).address, "https://strict.example/");
    assert.equal((await signIn(server, owner)).address, "/ui/login/signed-in");
    await changeSettings(server, "login", { defaultRedirectUri: "https://intranet.example/" });
    assert.equal((await signIn(server, member)).address, "https://strict.example/");
    assert.equal((await signIn(server, owner)).address, "https://intranet.example/");
    const client = await addClient(server);
    for (const person of [member, owner]) assert.ok(isBack(await enter(await visit(server, client), person)));
  });
});
