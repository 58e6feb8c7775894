import assert from "node:assert/strict";
import { test } from "node:test";
import { addStaff } from "../identity-provider/trusted.ts";
import { enter, visit } from "../login/support/sign-in.ts";
import { startDeviceServer } from "../oauth/device/support.ts";
import { fetch } from "../support/http/fetch.ts";
import { addPerson, appoint } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { font, upload } from "./support/files.ts";

const help = "This application was checked";

/** Gives an organization a font, words and a link; for the instance without an id. */
async function speak(server: TestServer, organizationId?: string): Promise<void> {
  const api = organizationId === undefined ? "/admin/v1" : "/management/v1";
  const headers = organizationId === undefined ? {} : { "x-service-orgid": organizationId };
  const send = async (method: string, path: string, body: object) => {
    const answer = await server.rest(method, api + path, { headers, body });
    assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
  };
  await send(organizationId === undefined ? "PUT" : "POST", "/policies/label", { primaryColor: "#b00020" });
  const of = organizationId === undefined ? "iam" : "org";
  await upload(server, `${of}/policy/label/font`, font(), organizationId === undefined ? {} : { organizationId });
  await send("POST", "/policies/label/_activate", {});
  if (organizationId === undefined) return;
  await send("PUT", "/text/login/en", { footerText: { help } });
  await send("POST", "/policies/privacy", {
    helpLink: "https://evil.example/",
    customLink: "https://evil.example/",
    customLinkText: "Approved",
  });
}

const policyOf = ({ headers }: ShownPage): string => headers.get("content-security-policy") ?? "";
const isBuiltIn = ({ html }: ShownPage): boolean => /<body[^>]* data-font="built-in"/.test(html);

serversInTurn((start, test) => {
  test("nothing of an organization changes what the page says on which a user consents", async (t) => {
    const server = await start(t);
    const [evil, bank] = [await addStaff(server, "evil"), await addStaff(server, "bank")];
    await speak(server, evil.organizationId);
    await changeSettings(server, "security", {
      embeddedIframe: { enabled: true, allowedOrigins: ["https://portal.example"] },
    });
    const client = await addClient(server, {}, "Shop", evil.organizationId);
    const labeling = "PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY";
    const { projectId } = client;
    await server.connect("service.project.v2.ProjectService/UpdateProject", {
      projectId,
      privateLabelingSetting: labeling,
    });
    const { browser, page } = await visit(server, client, { scope: "openid offline_access" });
    assert.equal(isBuiltIn(page), false, "the page of the name is in the look of the application's owner");
    const [, href = ""] = /href="(\/branding\/[^"]*\.css[^"]*)"/.exec(page.html) ?? [];
    const css = await (await fetch(server.origin + href.replaceAll("&amp;", "&"))).text();
    assert.match(css, /^body:not\(\[data-font\]\)\{font-family:Brand/m);
    const consent = await enter({ browser, page }, bank.owner);
    assert.match(consent.address, /^\/ui\/login\/consent/);
    assert.equal(isBuiltIn(consent), true);
    assert.match(policyOf(page), /frame-ancestors https:\/\/portal\.example/, "the settings allow frames");
    assert.match(policyOf(consent), /frame-ancestors 'none'/, "a frame could cover what the user allows");
    assert.equal(consent.headers.get("x-frame-options"), "DENY");
    assert.ok(consent.html.includes(href), "its colors are the organization's");
    for (const said of [help, "Approved", "evil.example/"]) assert.ok(!consent.html.includes(said), said);
  });

  test("the scope of a request does not bring the font of an organization that the application does not serve", async (t) => {
    const server = await start(t);
    const [evil, bank] = [await addStaff(server, "evil"), await addStaff(server, "bank")];
    const { organizationId } = evil;
    const headers = { "x-service-orgid": organizationId };
    await changeSettings(server, "login", { ignoreUnknownUsernames: false });
    // A font alone: an organization with the words of the instance is asked no less.
    await server.rest("POST", "/management/v1/policies/label", { headers, body: { primaryColor: "#b00020" } });
    await upload(server, "org/policy/label/font", font(), { organizationId });
    await server.rest("POST", "/management/v1/policies/label/_activate", { headers, body: {} });
    const scope = `openid urn:service:iam:org:id:${organizationId}`;
    const looks = async (ownerId: string | undefined) => {
      const client = await addClient(server, {}, "Shop", ownerId);
      const { browser, page } = await visit(server, client, { scope });
      const named = await browser.submit(page, { login_name: evil.plain.loginName }, { action: "/ui/login" });
      assert.match(named.address, /^\/ui\/login\/password/);
      for (const { html } of [page, named]) assert.match(html, /\/branding\/[^"]*\.css/, "its colors are shown");
      return [isBuiltIn(page), isBuiltIn(named)];
    };
    assert.deepEqual(await looks(organizationId), [false, false], "its own application");
    // The entered name is of the organization, so from then on it has the page.
    assert.deepEqual(await looks(bank.organizationId), [true, false]);
    assert.deepEqual(await looks(undefined), [true, false]);
    await server.rest("PUT", "/management/v1/text/login/en", { headers, body: { footerText: { help } } });
    assert.deepEqual(await looks(bank.organizationId), [true, false], "with words of its own");
  });

  test("account pages have the built-in font, and the font of the instance is everywhere", async (t) => {
    const server = await start(t);
    const acme = await addStaff(server, "acme");
    await speak(server, acme.organizationId);
    const user = await addPerson(server, { username: "ada", organizationId: acme.organizationId });
    await appoint(server, user, { instance: true }, ["IAM_OWNER"]);
    const browser = new TestBrowser(server);
    await enter({ browser, page: await browser.open("/ui/login") }, user);
    const account = await browser.open("/ui/account");
    assert.match(account.html, /\/branding\/[^"]*\.css/);
    assert.equal(isBuiltIn(account), true);
    await server.rest("DELETE", "/management/v1/policies/label", {
      headers: { "x-service-orgid": acme.organizationId },
    });
    await speak(server);
    const again = await browser.open("/ui/account");
    assert.match(again.html, /\/branding\/[^"]*\.css/);
    assert.equal(isBuiltIn(again), false);
  });
});

test("nor what the page says on which a user allows a device", async (t) => {
  const server = await startDeviceServer(t, { engine: "sqlite" });
  const acme = await addStaff(server, "acme");
  await speak(server, acme.organizationId);
  const user = await addPerson(server, { username: "ivo", organizationId: acme.organizationId });
  await changeSettings(server, "security", {
    embeddedIframe: { enabled: true, allowedOrigins: ["https://portal.example"] },
  });
  const waiting = await server.wait("openid");
  const browser = new TestBrowser(server);
  const typed = await browser.submit(await browser.open("/ui/login/device"), { user_code: waiting.user_code });
  const page = await enter({ browser, page: typed }, user);
  assert.match(page.title, /^Allow this device/, page.html);
  assert.match(page.html, /\/branding\/[^"]*\.css/, "it is in the look of the user's organization");
  assert.equal(isBuiltIn(page), true);
  assert.match(policyOf(page), /frame-ancestors 'none'/);
  for (const said of [help, "Approved"]) assert.ok(!page.html.includes(said), said);
});
