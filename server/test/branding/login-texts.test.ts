import assert from "node:assert/strict";
import { test } from "node:test";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { LoginCustomTextSchema } from "@doorward/api/service/text/v1/login_pb";
import { loginTextKeys } from "../../src/domain/login-text/custom-login-text.ts";
import { createTexts } from "../../src/text/index.ts";
import { visit } from "../login/support/sign-in.ts";
import { addOrganization, addPerson, type Person } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient, type SignInClient } from "../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";

const admin = "/admin/v1/text/login";
const management = "/management/v1/text/login";

const idOf = ({ status, body }: Awaited<ReturnType<TestServer["rest"]>>) => [status, body.details?.[0]?.id];

test("each text of the first generation that our pages have is one text of theirs", () => {
  const keys = new Set([...createTexts().all("en")].map(([key]) => key));
  const screens = new Map(LoginCustomTextSchema.fields.map((field) => [field.localName, field.message]));
  for (const [path, key] of Object.entries(loginTextKeys)) {
    const [screen = "", part = ""] = path.split(".");
    assert.ok(screens.get(screen)?.field[part], `${path} is in the contract`);
    assert.ok(keys.has(key), `${key} is in the catalogue`);
  }
  assert.equal(new Set(Object.values(loginTextKeys)).size, Object.keys(loginTextKeys).length, "one to one");
  const sent = AdminService.method.setCustomLoginText.input.fields.map(({ localName }) => localName);
  for (const path of Object.keys(loginTextKeys)) assert.ok(sent.includes(path.split(".", 1)[0] ?? ""), path);
});

eachServer((start) => {
  test("words of the login", async (t) => {
    const server = await start(t);
    const acme = await addOrganization(server, "Acme");
    const client = await addClient(server, {}, "Shop", acme);
    const context = { headers: { "x-service-orgid": acme } };
    const scope = `openid urn:zitadel:iam:org:id:${acme}`;
    const ofInstance = async () => (await new TestBrowser(server).open("/ui/login?account=other")).html;
    const ofAcme = async (language = "en") => (await visit(server, client, { scope, ui_locales: language })).page.html;
    const set = (path: string, body: object) => server.rest("PUT", path, { ...context, body });
    const screens = async (path: string) => (await server.rest("GET", path, context)).body.customText;

    await t.test(
      "an organization's texts override the instance's, and those override the catalogue, per language",
      async () => {
        assert.equal(
          (await set(`${admin}/en`, { loginText: { title: "Enter here", loginNameLabel: "Your name" } })).status,
          200,
        );
        assert.equal((await set(`${management}/en`, { loginText: { title: "Welcome to Acme" } })).status, 200);
        assert.match(await ofInstance(), /<h1>Enter here<\/h1>/);
        const page = await ofAcme();
        assert.match(page, /<h1>Welcome to Acme<\/h1>/);
        assert.match(page, /Your name/);
        assert.doesNotMatch(await ofAcme("de"), /Welcome to Acme|Your name/);
      },
    );

    await t.test("what was set is read back as it is; what holds without it is read apart", async () => {
      const custom = await screens(`${management}/en`);
      assert.deepEqual([custom.loginText.title, custom.loginText.loginNameLabel], ["Welcome to Acme", ""]);
      assert.equal(custom.isDefault, false);
      assert.equal(custom.passwordText ?? null, null);
      const byDefault = await screens("/management/v1/text/default/login/en");
      assert.deepEqual([byDefault.loginText.title, byDefault.isDefault], ["Enter here", true]);
      assert.equal((await screens("/admin/v1/text/default/login/en")).loginText.title, "Sign in");
      assert.equal((await screens(`${admin}/de`)).isDefault, true);
    });

    await t.test("both generations read what the other wrote, and leave alone what they cannot say", async () => {
      const level = `organizationId=${acme}&locale=en`;
      const path = `/v2/settings/hosted_login_translation?${level}&ignoreInheritance=true`;
      assert.equal((await server.rest("GET", path)).body.translations.login_name.title, "Welcome to Acme");
      const translations = { login_name: { title: "Hello" }, logout: { title: "Leave" } };
      const written = await server.rest("PUT", "/v2/settings/hosted_login_translation", {
        body: { organizationId: acme, locale: "en", translations },
      });
      assert.equal(written.status, 200, JSON.stringify(written.body));
      assert.match(await ofAcme(), /<h1>Hello<\/h1>/);
      await set(`${management}/en`, { loginText: { title: "Again", description: "Kept, shown nowhere" } });
      const kept = (await server.rest("GET", path)).body.translations;
      assert.deepEqual([kept.login_name.title, kept.logout.title], ["Again", "Leave"]);
      assert.equal((await screens(`${management}/en`)).loginText.description, "Kept, shown nowhere");
    });

    await t.test("texts are plain text only", async () => {
      const title = '<img src=x onerror=alert(1)> & "Acme"';
      assert.equal((await set(`${management}/en`, { loginText: { title } })).status, 200);
      const page = await ofAcme();
      assert.doesNotMatch(page, /<img/);
      assert.match(page, /&lt;img src=x onerror=alert\(1\)&gt; &amp; /);
    });

    await t.test("what a page cannot fill is refused", async () => {
      const refused = await set(`${management}/en`, { loginText: { title: "Hello {client}" } });
      assert.deepEqual(idOf(refused), [400, "settings.translation_placeholder"]);
      assert.match(refused.body.message, /login_name\.title cannot show \{client\}/);
      const flat = await server.rest("PUT", "/v2/settings/hosted_login_translation", {
        body: { instance: true, locale: "en", translations: { "login_name.title": "Hello {client}" } },
      });
      assert.deepEqual(idOf(flat), [400, "settings.translation_placeholder"]);
      const fitting = await set(`${management}/en`, { passwordText: { minLength: "{count} letters" } });
      assert.equal(fitting.status, 200);
      const control = await set(`${management}/en`, { loginText: { title: "a\u0007b" } });
      assert.deepEqual(idOf(control), [400, "settings.translation_invalid"]);
      assert.deepEqual(idOf(await set(`${management}/xx`, {})), [400, "settings.language_unsupported"]);
    });

    await t.test("after a reset, pages show the original texts again", async () => {
      assert.equal((await server.rest("DELETE", `${management}/en`, context)).status, 200);
      assert.match(await ofAcme(), /<h1>Enter here<\/h1>/);
      assert.equal((await screens(`${management}/en`)).isDefault, true);
      assert.equal((await server.rest("DELETE", `${admin}/en`)).status, 200);
      assert.match(await ofAcme(), /<h1>Sign in<\/h1>/);
      assert.deepEqual((await server.rest("DELETE", `${admin}/en`)).body.details ?? null, null);
    });

    await t.test("the scope of a link does not bring an organization's texts to the users of others", async () => {
      await changeSettings(server, "login", { ignoreUnknownUsernames: false });
      const bank = await addOrganization(server, "Bank");
      const customer = await addPerson(server, { username: "customer", organizationId: bank });
      const ada = await addPerson(server, { username: "ada", organizationId: acme });
      const texts = { loginText: { title: "Welcome" }, passwordText: { title: "Go to new-login.example" } };
      assert.equal((await set(`${management}/en`, texts)).status, 200);
      const privacy = {
        helpLink: "https://evil.example/help",
        customLink: "https://evil.example/",
        customLinkText: "All is well",
      };
      assert.equal(
        (await server.rest("POST", "/management/v1/policies/privacy", { ...context, body: privacy })).status,
        200,
      );
      const led = async (to: SignInClient, { loginName }: Person) => {
        const { browser, page } = await visit(server, to, { scope });
        const asked = await browser.submit(page, { login_name: loginName }, { action: "/ui/login" });
        return [page, asked].map(({ html }) => /Welcome|new-login|All is well|evil\.example/.test(html));
      };
      const foreign = await addClient(server, {}, "Console");
      assert.deepEqual(await led(foreign, customer), [false, false]);
      assert.deepEqual(await led(foreign, ada), [false, true], "the entered name decides");
      assert.deepEqual(await led(client, ada), [true, true], "the application decides");
    });
  });
});
