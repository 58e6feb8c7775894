import assert from "node:assert/strict";
import { enter, visit } from "../login/support/sign-in.ts";
import { fetch } from "../support/http/fetch.ts";
import { addOrganization, addPerson } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import type { ShownPage } from "../support/sign-in/test-browser.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { font, png, upload } from "./support/files.ts";

const label = "/management/v1/policies/label";
const context = (organizationId: string) => ({ headers: { "x-service-orgid": organizationId } });

/** Gives an organization a look of its own, in force. */
async function brand(server: TestServer, organizationId: string, body: object, hasLogo = false): Promise<void> {
  for (const method of ["POST", "PUT"]) {
    const { status } = await server.rest(method, label, { ...context(organizationId), body });
    if (method === "POST" && status === 200) break;
  }
  if (hasLogo) await upload(server, "org/policy/label/logo", png(20, 20), { organizationId });
  const activated = await server.rest("POST", `${label}/_activate`, { ...context(organizationId), body: {} });
  assert.equal(activated.status, 200, JSON.stringify(activated.body));
}

const styleHref = ({ html }: ShownPage): string | undefined =>
  /href="(\/branding\/[\w-]{22}\.css[^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&");

async function styleOf(server: TestServer, page: ShownPage): Promise<string> {
  const href = styleHref(page);
  return href === undefined ? "" : (await fetch(server.origin + href)).text();
}

const red = { primaryColor: "#b00020", primaryColorDark: "#ff8a9a" };
const blue = { primaryColor: "#0b3d91" };

serversInTurn((start, test) => {
  test("hosted pages have the branding of the organization that they are for", async (t) => {
    const server = await start(t);
    const acme = await addOrganization(server, "Acme & Sons");
    const home = await addOrganization(server, "Home");
    await brand(server, acme, red, true);
    await brand(server, home, blue);
    const ada = await addPerson(server, { username: "ada", organizationId: acme });
    const client = await addClient(server);
    const scope = `openid urn:zitadel:iam:org:id:${acme}`;
    const first = async (parameters: Record<string, string> = {}) => (await visit(server, client, parameters)).page;
    const project = (privateLabelingSetting: string) =>
      server.connect("service.project.v2.ProjectService/UpdateProject", {
        projectId: client.projectId,
        privateLabelingSetting: `PRIVATE_LABELING_SETTING_${privateLabelingSetting}`,
      });

    await t.test("our own look needs nothing more", async () => {
      const page = await first();
      assert.equal(styleHref(page), undefined);
      assert.match(page.html, /class="wordmark"/);
      assert.match(page.html, /<title>[^<]* – Doorward<\/title>/);
    });

    await t.test(
      "of the organization that the application names: style sheet, logo, name, and nothing inline",
      async () => {
        const page = await first({ scope });
        assert.match(await styleOf(server, page), /^:root\{[^}]*--primary:#b00020/);
        assert.match(page.html, /<img class="logo" src="\/branding\/[\w-]{43}\.png" alt="Acme &amp; Sons">/);
        assert.doesNotMatch(page.html, /class="wordmark"|style=|<style/);
        assert.match(page.html, /<span>Doorward<\/span>/, "made with");
        assert.match(page.headers.get("content-security-policy") ?? "", /style-src 'self';/);
      },
    );

    await t.test("the style sheet is kept forever; an old address gets the new one and does not keep it", async () => {
      const href = styleHref(await first({ scope })) ?? "";
      const answer = await fetch(server.origin + href);
      assert.equal(answer.headers.get("cache-control"), "public, max-age=31536000, immutable");
      assert.equal(answer.headers.get("content-type"), "text/css; charset=utf-8");
      assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
      const old = await fetch(server.origin + href.replace(/[\w-]{22}\.css/, `${"A".repeat(22)}.css`));
      assert.deepEqual([old.status, old.headers.get("cache-control")], [200, "no-store"]);
      assert.equal(await old.text(), await answer.text());
    });

    await t.test("a change is seen with the next page", async () => {
      await brand(server, acme, { ...red, themeMode: "THEME_MODE_DARK", disableWatermark: true });
      const page = await first({ scope });
      assert.match(await styleOf(server, page), /^:root\{color-scheme:dark;[^}]*--primary:#ff8a9a/);
      assert.match(page.html, /<meta name="color-scheme" content="dark">/);
      assert.match(page.html, /<title>[^<]* – Acme &amp; Sons<\/title>/);
      assert.doesNotMatch(page.html, /Doorward/);
      await upload(server, "org/policy/label/font", font(), { organizationId: acme });
      await upload(server, "org/policy/label/icon", png(16, 16), { organizationId: acme });
      await brand(server, acme, red);
      const next = await first({ scope });
      assert.match(
        await styleOf(server, next),
        /@font-face\{font-family:Brand;src:url\("\/branding\/[\w-]{43}\.woff2"\)/,
      );
      assert.match(next.html, /<link rel="icon" href="\/branding\/[\w-]{43}\.png">/);
    });

    await t.test("otherwise that of the user who was named, unless unknown names are kept secret", async () => {
      const named = async (loginName: string) => {
        const { browser, page } = await visit(server, client);
        return browser.submit(page, { login_name: loginName }, { action: "/ui/login" });
      };
      await changeSettings(server, "login", { ignoreUnknownUsernames: false });
      assert.match(await styleOf(server, await named(ada.loginName)), /--primary:#b00020/);
      await changeSettings(server, "login", { ignoreUnknownUsernames: true });
      assert.equal(styleHref(await named(ada.loginName)), undefined);
      assert.equal(styleHref(await named("nobody@nowhere.example")), undefined);
      await changeSettings(server, "login", { ignoreUnknownUsernames: false });
      await changeSettings(server, "login", { ignoreUnknownUsernames: true }, acme);
      assert.equal(styleHref(await named(ada.loginName)), undefined, "its organization keeps them secret");
      await changeSettings(server, "login", { ignoreUnknownUsernames: false }, acme);
    });

    await t.test("the domain of login names stands beside the field, unless the look hides it", async () => {
      const suffix = async () => /class="suffix"><bdi>([^<]*)</.exec((await first({ scope })).html)?.[1];
      const domain = ada.loginName.split("@")[1];
      assert.equal(await suffix(), `@${domain}`);
      assert.doesNotMatch((await first({ scope, login_hint: ada.loginName })).html, /class="suffix"/);
      assert.doesNotMatch((await first()).html, /class="suffix"/, "whose domain it is is not known");
      await brand(server, acme, { ...red, hideLoginNameSuffix: true });
      assert.equal(await suffix(), undefined);
      await brand(server, acme, red);
      await changeSettings(server, "domain", { loginNameIncludesDomain: false });
      assert.equal(await suffix(), undefined, "names have no domain then");
    });

    await t.test("as the project of the application wants it", async () => {
      const mine = await addClient(server);
      assert.equal(mine.projectId === client.projectId, false);
      await server.rest("PUT", label, { body: blue });
      await server.rest("POST", label, { body: blue });
      await server.rest("POST", `${label}/_activate`, { body: {} });
      const seen = async () => {
        const { browser, page } = await visit(server, client);
        const next = await browser.submit(page, { login_name: ada.loginName }, { action: "/ui/login" });
        const colours = [await styleOf(server, page), await styleOf(server, next)];
        return colours.map((css) => /--primary:(#\w+)/.exec(css)?.[1]);
      };
      assert.deepEqual(await seen(), [undefined, "#b00020"]);
      assert.equal((await project("ENFORCE_PROJECT_RESOURCE_OWNER_POLICY")).status, 200);
      assert.deepEqual(await seen(), ["#0b3d91", "#0b3d91"]);
      await project("ALLOW_LOGIN_USER_RESOURCE_OWNER_POLICY");
      assert.deepEqual(await seen(), ["#0b3d91", "#b00020"]);
      await project("UNSPECIFIED");
    });

    await t.test(
      "signed-in users see the branding of their organization; all others that of the instance",
      async () => {
        const browser = new TestBrowser(server);
        const page = await enter({ browser, page: await browser.open("/ui/login?account=other") }, ada);
        assert.equal(page.address, "/ui/login/signed-in");
        for (const path of ["/ui/login/signed-in", "/ui/account", "/ui/account/methods", "/ui/logout"]) {
          assert.match(await styleOf(server, await browser.open(path)), /--primary:#b00020/, path);
        }
        const out = await browser.submit(await browser.open("/ui/logout"), {}, { action: "/ui/logout" });
        assert.equal(out.address, "/ui/logout/done");
        assert.match(await styleOf(server, out), /--primary:#b00020/);
        assert.equal(
          (await server.rest("PUT", "/admin/v1/policies/label", { body: { primaryColor: "#7a00cc" } })).status,
          200,
        );
        await server.rest("POST", "/admin/v1/policies/label/_activate", { body: {} });
        const nowhere = await new TestBrowser(server).open("/ui/login/nowhere");
        assert.equal(nowhere.status, 404);
        assert.match(
          await styleOf(server, await new TestBrowser(server).open("/ui/login?account=other")),
          /--primary:#7a00cc/,
        );
      },
    );

    await t.test("the style sheet address gives access to nothing else", async () => {
      const href = styleHref(await first({ scope })) ?? "";
      const bare = href.replace(/\?.*/, "");
      for (const organization of ["unknown", "../../x", "%0a", `${acme}%0a1`, "'--", "a".repeat(500)]) {
        const answer = await fetch(`${server.origin}${bare}?of=${organization}`);
        assert.equal(answer.status, 200, organization);
        assert.equal(answer.headers.get("cache-control"), "no-store", organization);
        assert.match(await answer.text(), /--primary:#7a00cc/, "the instance's");
      }
    });
  });
});
