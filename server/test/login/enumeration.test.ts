import assert from "node:assert/strict";
import { addOrganization, addPerson, goodPassword } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import type { ShownPage } from "../support/sign-in/test-browser.ts";
import { visit } from "./support/sign-in.ts";

/** Makes users, and returns login names of the same length, of existing users and of unknown ones. */
async function makeNames(server: TestServer): Promise<Record<string, string>> {
  const users = "service.user.v2.UserService";
  const organizationId = await addOrganization(server, "Elsewhere");
  const inactiveOrganization = await addOrganization(server, "Closed");
  const add = async (username: string, given: object = {}) => addPerson(server, { username, ...given });
  await add("normal");
  await add("change", { changeRequired: true });
  await add("foreign", { organizationId });
  const inactive = await add("switched");
  await server.connect(`${users}/DeactivateUser`, { userId: inactive.userId });
  const locked = await add("locked");
  await server.connect(`${users}/LockUser`, { userId: locked.userId });
  await add("closed", { organizationId: inactiveOrganization });
  await server.connect("service.org.v2.OrganizationService/DeactivateOrganization", {
    organizationId: inactiveOrganization,
  });
  await server.connect(`${users}/CreateUser`, {
    organizationId,
    username: "passwordless",
    human: { profile: { givenName: "P", familyName: "L" }, email: { email: "p@mail.example", isVerified: true } },
  });
  await server.connect(`${users}/CreateUser`, { organizationId, username: "machine", machine: { name: "machine" } });
  const guessed = await add("guessed");
  await server.connect(`${users}/UnlockUser`, { userId: guessed.userId });
  return {
    unknown: "nobody",
    "unknown in the domain": "nobody@doorward.localhost",
    "not a name": "two words",
    normal: "normal",
    qualified: "normal@doorward.localhost",
    "in capitals": "NORMAL",
    "by email": "normal@mail.example",
    "has to change": "change",
    "other organization": "foreign",
    deactivated: "switched",
    locked: "locked",
    "organization deactivated": "closed",
    "without a password": "passwordless",
    "a service account": "machine",
  };
}

/** Returns what a stranger sees of an answer: everything but what differs for each browser, and the name they typed. */
function seen(page: ShownPage, name: string): object {
  const ignored = ["date", "x-request-id", "set-cookie", "etag"];
  const headers = [...page.headers].filter(([header]) => !ignored.includes(header) && header !== "content-length");
  const html = page.html
    .replaceAll(/name="csrf_token" value="[^"]*"/g, "")
    .replaceAll(/authRequest=\d+/g, "")
    .replaceAll(/<span class="avatar"[^>]*>[^<]*<\/span>/g, "")
    .replaceAll(name, "NAME");
  return { status: page.status, headers, html };
}

serversInTurn((start, test, both) => {
  test("a stranger who types names and wrong passwords cannot tell who is there", async (t) => {
    const server = await start(t);
    const names = await makeNames(server);
    const client = await addClient(server);
    const answers: Record<string, object[]> = {};
    for (const [kind, name] of Object.entries(names)) {
      const { browser, page } = await visit(server, client);
      const asked = await browser.submit(page, { login_name: name });
      const asking = browser.redirects.map((address) => address.replace(/\d+/, ""));
      const wrong = await browser.submit(asked, { password: "a wrong password" });
      const leading = browser.redirects.map((address) => address.replace(/\d+/, ""));
      const back = await browser.open(page.address);
      answers[kind] = [seen(asked, name), asking, seen(wrong, name), leading, seen(back, name)];
    }
    const expected = answers["unknown"];
    for (const [kind, answer] of Object.entries(answers)) assert.deepEqual(answer, expected, kind);
  });

  both("a user who cannot sign in gets the same answer to the right password as to a wrong one", async (t) => {
    const server = await start(t);
    await makeNames(server);
    const client = await addClient(server);
    const answers = new Set<string>();
    for (const name of ["switched", "locked", "closed", "nobody"]) {
      for (const password of [goodPassword, "a wrong password"]) {
        const { browser, page } = await visit(server, client);
        const asked = await browser.submit(page, { login_name: name });
        answers.add(JSON.stringify(seen(await browser.submit(asked, { password }), name)));
      }
    }
    assert.equal(answers.size, 1);
  });

  test("unknown names are said to be unknown only where the settings want it", async (t) => {
    const server = await start(t);
    await changeSettings(server, "login", { ignoreUnknownUsernames: false });
    await addPerson(server, { username: "normal" });
    const { browser, page } = await visit(server, await addClient(server));
    const unknown = await browser.submit(page, { login_name: "nobody" });
    assert.match(unknown.alert ?? "", /could not find this account/);
    assert.match(unknown.html, /value="nobody"/);
    assert.match((await browser.submit(unknown, { login_name: "normal" })).title, /^Enter your password/);
  });

  test("an organization that tells unknown names tells nothing of users of others, whatever the address names", async (t) => {
    const server = await start(t);
    const names = await makeNames(server);
    const telling = await addOrganization(server, "Telling");
    await changeSettings(server, "login", { ignoreUnknownUsernames: false, hidePasswordReset: true }, telling);
    await addPerson(server, { username: "insider", organizationId: telling });
    const client = await addClient(server);
    const answers: Record<string, object[]> = {};
    for (const [kind, name] of Object.entries({ ...names, insider: "insider" })) {
      const { browser, page } = await visit(server, client);
      const led = await browser.open(`${page.address}&organization=${telling}`);
      const asked = await browser.submit(led, { login_name: name }, { action: "/ui/login" });
      const forgotten = await browser.open(asked.address.replace("/password", "/forgotten"));
      answers[kind] = [seen(asked, name), seen(forgotten, name)];
    }
    for (const [kind, answer] of Object.entries(answers)) assert.deepEqual(answer, answers["unknown"], kind);
    // An organization's own names are its affair: a request for it alone may tell them.
    const scope = `openid urn:zitadel:iam:org:id:${telling}`;
    const { browser, page } = await visit(server, client, { scope });
    assert.match((await browser.submit(page, { login_name: "nobody" })).alert ?? "", /could not find this account/);
  });

  test("settings can disallow email addresses as login names and passwords as a sign-in method", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const tryIn = async (loginName: string) => {
      const { browser, page } = await visit(server, client);
      const asked = await browser.submit(page, { login_name: loginName });
      return (await browser.submit(asked, { password: ada.password })).address.startsWith("https://shop.example");
    };
    assert.equal(await tryIn("ada@mail.example"), true);
    await changeSettings(server, "login", { disableLoginWithEmail: true });
    assert.equal(await tryIn("ada@mail.example"), false);
    assert.equal(await tryIn(ada.loginName), true);
    await changeSettings(server, "login", { allowLocalAuthentication: false });
    assert.equal(await tryIn(ada.loginName), false);
  });
});
