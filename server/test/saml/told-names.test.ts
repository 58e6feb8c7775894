import assert from "node:assert/strict";
import {
  addOrganization,
  addPerson,
  appoint,
  defaultOrganization,
  goodPassword,
  sessionOf,
} from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { addProject, nodeSaml, pathOf, postedBy, register, startNow } from "./support.ts";

const address = "ceo@corp.example";
const emailAddress = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";
const unspecified = "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified";

/** Creates a user whose username is an address, which the author says is verified. */
async function create(server: TestServer, organizationId: string, token?: string, username = address): Promise<string> {
  const human = {
    profile: { givenName: "A", familyName: "B" },
    email: { email: address, isVerified: true },
    password: { password: goodPassword },
  };
  const body = { organizationId, username, human };
  const as = token === undefined ? {} : { token };
  const made = await server.connect("service.user.v2.UserService/CreateUser", body, as);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return made.body.id;
}

/** Registers a service provider of an organization. */
async function registerOf(server: TestServer, organizationId: string): Promise<string> {
  return (await register(server, {}, { projectId: await addProject(server, { organizationId }) })).entityId;
}

/** Signs a user in by a name, and returns what a service provider is told of them. */
async function told(server: TestServer, entityId: string, name: string) {
  const sp = await nodeSaml(server, entityId);
  const browser = new TestBrowser(server);
  const asked = await browser.submit(await browser.open("/ui/login"), { login_name: name }, { action: "/ui/login" });
  await browser.submit(asked, { password: goodPassword }, { action: "/ui/login/password" });
  let page = await browser.open(pathOf(await sp.getAuthorizeUrlAsync("", undefined, {})));
  if (page.address.startsWith("/ui/login/consent")) {
    page = await browser.submit(page, { decision: "allow" }, { action: "/ui/login/consent" });
  }
  const { profile } = await sp.validatePostResponseAsync(postedBy(page).fields);
  return {
    name: [profile?.nameID, profile?.nameIDFormat],
    userId: profile?.["UserID"],
    userName: profile?.["UserName"],
    email: profile?.["Email"],
  };
}

serversInTurn((start, test) => {
  test("an address that only an administrator of another organization typed is no name for readers elsewhere", async (t) => {
    const server = await startNow(start, t);
    await changeSettings(server, "domain", { loginNameIncludesDomain: false });
    const [evil, home] = [await addOrganization(server, "Attackers"), await addOrganization(server, "Home")];
    const mallory = await addPerson(server, { username: "mallory", organizationId: evil });
    await appoint(server, mallory, { organizationId: evil }, ["ORG_OWNER"]);
    const { token } = await sessionOf(server, mallory);
    const typed = await create(server, evil, token);
    const owner = await create(server, home);
    const long = `${address}@attackers.localhost`;
    for (const organizationId of [home, await defaultOrganization(server)]) {
      const entityId = await registerOf(server, organizationId);
      assert.deepEqual(await told(server, entityId, long), {
        name: [long, unspecified],
        userId: typed,
        userName: long,
        email: undefined,
      });
    }
    // The owner's name has become the long one, because the short one was in use.
    const ofHome = await told(server, await registerOf(server, home), `${address}@home.localhost`);
    assert.equal(ofHome.userId, owner);
    assert.equal(ofHome.email, address);
    // In the organization whose administrator typed it, it is told as before.
    const atHome = await told(server, await registerOf(server, evil), long);
    assert.deepEqual(atHome, { name: [address, emailAddress], userId: typed, userName: address, email: address });
    // Where the organizations of an instance trust one another, so it is in all of them.
    await changeSettings(server, "security", { skipConsentAcrossOrganizations: true });
    const trusted = await told(server, await registerOf(server, home), long);
    assert.deepEqual(trusted.name, [address, emailAddress]);
  });

  test("a verified address, and a name with the domain of the organization, are names everywhere", async (t) => {
    const server = await startNow(start, t);
    const [staff, home] = [await addOrganization(server, "Staff"), await addOrganization(server, "Home")];
    const entityId = await registerOf(server, home);
    const ada = await addPerson(server, { username: "ada", organizationId: staff });
    const long = "ada@staff.localhost";
    assert.deepEqual((await told(server, entityId, ada.loginName)).name, [long, emailAddress]);
    await changeSettings(server, "domain", { loginNameIncludesDomain: false });
    // An administrator of the instance has verified this one.
    await create(server, staff);
    const { name, email } = await told(server, entityId, address);
    assert.deepEqual([name, email], [[address, emailAddress], address]);
  });

  test("a name that is no address has not the format of one", async (t) => {
    const server = await startNow(start, t);
    await changeSettings(server, "domain", { loginNameIncludesDomain: false });
    await create(server, await defaultOrganization(server), undefined, "ceo");
    const entityId = await registerOf(server, await defaultOrganization(server));
    assert.deepEqual((await told(server, entityId, "ceo")).name, ["ceo", unspecified]);
  });
});
