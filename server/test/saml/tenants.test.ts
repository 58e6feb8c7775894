import assert from "node:assert/strict";
import { addOrganization, addPerson } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import {
  addProject,
  consumer,
  decodeResponse,
  nodeSaml,
  pathOf,
  postedBy,
  register,
  signInAt,
  startNow,
  statusesOf,
} from "./support.ts";

const application = "service.application.v2.ApplicationService";

const addressOf = async (server: TestServer, entityId: string): Promise<string> =>
  (await nodeSaml(server, entityId)).getAuthorizeUrlAsync("", undefined, {});

serversInTurn((start, test) => {
  test("an application of one organization learns nothing of another's users unless they consent", async (t) => {
    const server = await startNow(start, t);
    const organizationId = await addOrganization(server, "Elsewhere");
    const foreign = await register(server, {}, { projectId: await addProject(server, { organizationId }) });
    const ada = await addPerson(server, { username: "ada" });
    const { browser, page } = await signInAt(server, await addressOf(server, foreign.entityId), ada);
    assert.match(page.address, /^\/ui\/login\/consent\?/);
    assert.ok(page.html.includes("sp.example"), "the page names the host");
    assert.ok(!page.html.includes("SAMLResponse"));
    // Without a question it does not even learn that a user is signed in.
    const passive = await nodeSaml(server, foreign.entityId, { passive: true });
    const silent = postedBy(await browser.open(pathOf(await passive.getAuthorizeUrlAsync("", undefined, {}))));
    assert.deepEqual(statusesOf(decodeResponse(silent.fields)), ["Responder", "NoPassive"]);
    const denied = await browser.submit(page, { decision: "deny" }, { action: "/ui/login/consent" });
    assert.deepEqual(statusesOf(decodeResponse(postedBy(denied).fields)), ["Responder", "AuthnFailed"]);
    const asked = await browser.open(pathOf(await addressOf(server, foreign.entityId)));
    const allowed = postedBy(await browser.submit(asked, { decision: "allow" }, { action: "/ui/login/consent" }));
    const xml = decodeResponse(allowed.fields);
    assert.deepEqual(statusesOf(xml), ["Success"]);
    assert.ok(xml.includes(ada.userId));
    // The consent is kept, until the assertions may go to another origin.
    const again = await browser.open(pathOf(await addressOf(server, foreign.entityId)));
    assert.deepEqual(statusesOf(decodeResponse(postedBy(again).fields)), ["Success"]);
    const moved = foreign.metadata.replaceAll(consumer, "https://other.example/acs");
    const changed = await server.connect(`${application}/UpdateApplication`, {
      applicationId: foreign.applicationId,
      projectId: foreign.projectId,
      samlConfiguration: { metadataXml: Buffer.from(moved).toString("base64") },
    });
    assert.equal(changed.status, 200);
    const sp = await nodeSaml(server, foreign.entityId, { callbackUrl: "https://other.example/acs" });
    const later = await browser.open(pathOf(await sp.getAuthorizeUrlAsync("", undefined, {})));
    assert.match(later.address, /^\/ui\/login\/consent\?/);
  });

  test("a project decides who may sign in to its SAML applications", async (t) => {
    const server = await startNow(start, t);
    const ada = await addPerson(server, { username: "ada" });
    const projectId = await addProject(server, { authorizationRequired: true });
    const { entityId } = await register(server, {}, { projectId });
    const { browser, page } = await signInAt(server, await addressOf(server, entityId), ada);
    assert.deepEqual(statusesOf(decodeResponse(postedBy(page).fields)), ["Responder", "RequestDenied"]);
    assert.ok(!decodeResponse(postedBy(page).fields).includes(ada.userId));
    await server.connect("service.project.v2.ProjectService/AddProjectRole", {
      projectId,
      roleKey: "reader",
      displayName: "Reader",
    });
    const { organizationId } = ada;
    const made = await server.connect("service.authorization.v2.AuthorizationService/CreateAuthorization", {
      userId: ada.userId,
      projectId,
      organizationId,
      roleKeys: ["reader"],
    });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const next = await browser.open(pathOf(await addressOf(server, entityId)));
    assert.deepEqual(statusesOf(decodeResponse(postedBy(next).fields)), ["Success"]);
  });

  test("a deactivated or deleted application gets nothing, also for a request that waits", async (t) => {
    const server = await startNow(start, t);
    const ada = await addPerson(server, { username: "ada" });
    const { entityId, applicationId, projectId } = await register(server);
    const browser = new TestBrowser(server);
    const waiting = await browser.open(pathOf(await addressOf(server, entityId)));
    const asked = await browser.submit(waiting, { login_name: ada.loginName }, { action: "/ui/login" });
    const set = (method: string) => server.connect(`${application}/${method}`, { applicationId, projectId });
    assert.equal((await set("DeactivateApplication")).status, 200);
    const late = await browser.submit(asked, { password: ada.password }, { action: "/ui/login/password" });
    assert.ok(!late.html.includes("SAMLResponse"), late.address);
    assert.equal((await browser.open(pathOf(await addressOf(server, entityId)))).status, 400);
    assert.equal((await set("ReactivateApplication")).status, 200);
    const { page } = await signInAt(server, await addressOf(server, entityId), ada);
    assert.deepEqual(statusesOf(decodeResponse(postedBy(page).fields)), ["Success"]);
    assert.equal((await set("DeleteApplication")).status, 200);
    assert.equal((await browser.open(pathOf(await addressOf(server, entityId)))).status, 400);
  });

  test("a request that waits goes nowhere once its address is gone from the metadata", async (t) => {
    const server = await startNow(start, t);
    const ada = await addPerson(server, { username: "ada" });
    const { entityId, applicationId, projectId, metadata } = await register(server);
    const browser = new TestBrowser(server);
    const waiting = await browser.open(pathOf(await addressOf(server, entityId)));
    const asked = await browser.submit(waiting, { login_name: ada.loginName }, { action: "/ui/login" });
    const moved = metadata.replaceAll(consumer, "https://sp.example/new");
    await server.connect(`${application}/UpdateApplication`, {
      applicationId,
      projectId,
      samlConfiguration: { metadataXml: Buffer.from(moved).toString("base64") },
    });
    const late = await browser.submit(asked, { password: ada.password }, { action: "/ui/login/password" });
    assert.ok(!late.html.includes("SAMLResponse"), late.address);
  });

  test("the request of one browser is not answered in another", async (t) => {
    const server = await startNow(start, t);
    const [ada, bob] = [await addPerson(server, { username: "ada" }), await addPerson(server, { username: "bob" })];
    const { entityId } = await register(server);
    const attacker = new TestBrowser(server);
    const page = await attacker.open(pathOf(await addressOf(server, entityId)));
    const id = new URL(page.address, server.origin).searchParams.get("authRequest") ?? "";
    const { browser: victim } = await signInAt(server, await addressOf(server, entityId), ada);
    for (const path of [`/saml/v2/login?id=${id}`, `/oauth/v2/authorize/callback?id=${id}`]) {
      const seen = await victim.open(path);
      assert.equal(seen.status, 400);
      assert.ok(!seen.html.includes("SAMLResponse"));
    }
    assert.ok(bob.userId !== ada.userId);
  });
});
