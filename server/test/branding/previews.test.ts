import assert from "node:assert/strict";
import { test } from "node:test";
import { loginPages, pageOfText } from "../../src/domain/login-text/login-page.ts";
import { messageTextKinds } from "../../src/domain/message-text/index.ts";
import pageTexts from "../../texts/en/pages.json" with { type: "json" };
import { useMailServer } from "../email/support.ts";
import { fetch } from "../support/http/fetch.ts";
import { startMailServer } from "../support/http/mail-server.ts";
import { addOrganization, addPerson, appoint, type Person, sessionOf } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { RestOptions, TestServer } from "../support/servers/server.ts";
import { adoptSession } from "../support/sign-in/adopt-session.ts";

const service = "service.appearance.v2.AppearanceService";
const framed = { "sec-fetch-site": "same-origin", "sec-fetch-dest": "iframe" };
const page = (name: string, more: object = {}) => ({ page: { page: `LOGIN_PAGE_${name}`, ...more } });

/** An administrator with a browser in which they are signed in. */
async function administrator(server: TestServer, username: string, where: object, role: string) {
  const person: Person = await addPerson(server, { username, ...where });
  const { sessionId, token } = await sessionOf(server, person);
  const resource = "organizationId" in where ? where : { instance: true };
  await appoint(server, person, resource, [role]);
  return { person, token, ...(await adoptSession(server, sessionId)) };
}

type Administrator = Awaited<ReturnType<typeof administrator>>;

/** Asks for a preview and opens it as the console does. */
async function show(
  server: TestServer,
  who: Administrator,
  body: object,
): Promise<{ html: string; response: Response }> {
  const made = await server.connect(`${service}/CreatePreview`, { language: "en", ...body }, { token: who.token });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const response = await fetch(server.origin + made.body.path, { headers: { ...framed, cookie: who.cookie } });
  return { response, html: await response.text() };
}

async function styleOf(server: TestServer, { cookie }: Administrator, html: string): Promise<string> {
  const href = /href="(\/ui\/preview\/style[^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
  const headers = { ...framed, "sec-fetch-dest": "style", cookie };
  return href === undefined ? "" : (await fetch(server.origin + href, { headers })).text();
}

const idOf = ({ status, body }: { status: number; body: { details?: { debug?: { id?: string } }[] } }) =>
  [status, body.details?.[0]?.debug?.id] as const;

serversInTurn((start, test) => {
  test("pages and messages are shown as they would be, to their maker alone", async (t) => {
    const server = await start(t, { now: Date.now() });
    const acme = await addOrganization(server, "Acme");
    const olga = await administrator(server, "olga", {}, "IAM_OWNER");
    const otto = await administrator(server, "otto", { organizationId: acme }, "ORG_OWNER");

    await t.test("every page in both states, and every message, without a form that could be sent", async () => {
      for (const name of loginPages) {
        for (const hasErrors of [false, true]) {
          const { html, response } = await show(server, olga, page(name.toUpperCase(), { hasErrors }));
          assert.equal(response.status, 200, name);
          assert.match(html, /<body [^>]*inert/, name);
          assert.doesNotMatch(html, /<script|autofocus/, name);
        }
      }
      for (const kind of messageTextKinds) {
        const { html } = await show(server, olga, { message: { kind: `MESSAGE_KIND_${kind.toUpperCase()}` } });
        assert.match(html, /Ada|123456|ABC-123/, kind);
      }
    });

    await t.test("the policy runs nothing, sends nothing, and lets only our own pages frame it", async () => {
      const { response } = await show(server, olga, page("PASSWORD"));
      const policy = response.headers.get("content-security-policy") ?? "";
      for (const directive of [
        "default-src 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
        "sandbox allow-same-origin",
      ]) {
        assert.ok(policy.split("; ").includes(directive), policy);
      }
      assert.doesNotMatch(policy, /script-src/);
      assert.equal(response.headers.get("cache-control"), "no-store");
    });

    await t.test("a link that is opened, framed elsewhere, or used by another is nothing", async () => {
      const body = { language: "en", ...page("PASSWORD") };
      const { path } = (await server.connect(`${service}/CreatePreview`, body, { token: olga.token })).body;
      const open = async (headers: Record<string, string>, at = path) =>
        (await fetch(server.origin + at, { headers })).status;
      const good = { ...framed, cookie: olga.cookie };
      assert.equal(await open(good), 200);
      for (const headers of [
        { cookie: olga.cookie },
        { ...good, "sec-fetch-dest": "document" },
        { ...good, "sec-fetch-site": "cross-site" },
        { ...good, "sec-fetch-site": "same-site" },
        { ...good, "sec-fetch-site": "none" },
        { ...framed },
        { ...framed, cookie: otto.cookie },
      ]) {
        assert.equal(await open(headers), 404, JSON.stringify(headers));
      }
      assert.equal(await open(good, `${path.slice(0, -3)}AAA`), 404);
      assert.equal(await open(good, "/ui/preview"), 404);
      server.clock.now += 6 * 60_000;
      assert.equal(await open(good), 404, "expired");
      server.clock.now -= 6 * 60_000;
    });

    await t.test("colors that are not stored, then the draft, then the active look", async () => {
      const red = { primaryColor: "#b00020" };
      const typed = { ...page("LOGIN_NAME"), look: { light: red, dark: red, disableWatermark: true } };
      const shown = await show(server, olga, typed);
      assert.match(await styleOf(server, olga, shown.html), /#b00020/);
      assert.match(shown.html, /name="color-scheme" content="light"/);
      const dark = await show(server, olga, { ...typed, theme: "PREVIEW_THEME_DARK" });
      assert.match(dark.html, /name="color-scheme" content="dark"/);
      assert.match((await show(server, olga, page("LOGIN_NAME"))).html, /class="wordmark"/, "nothing was stored");

      const draft = { primaryColor: "#0b3d91", disableWatermark: true };
      assert.equal((await server.rest("PUT", "/admin/v1/policies/label", { body: draft })).status, 200);
      const drafted = await show(server, olga, page("LOGIN_NAME"));
      assert.match(await styleOf(server, olga, drafted.html), /#0b3d91/);
      const active = await show(server, olga, { ...page("LOGIN_NAME"), isActive: true });
      assert.match(active.html, /class="wordmark"/);
      const ofAcme = await show(server, otto, { organizationId: acme, ...page("LOGIN_NAME") });
      assert.doesNotMatch(await styleOf(server, otto, ofAcme.html), /#0b3d91/, "the draft is the instance's own");
    });

    await t.test("texts are set one by one, and what an organization may not set is refused", async () => {
      const call = (method: string, body: object, options?: RestOptions) =>
        server.connect(`${service}/${method}`, { language: "en", ...body }, options);
      const set = (texts: object, organizationId = "", token = olga.token) =>
        call("SetPageTexts", { organizationId, texts }, { token });
      assert.equal((await set({ "login_name.title": "Enter", "logout.title": "Leave" })).status, 200);
      assert.equal((await set({ "login_name.title": "Welcome" }, acme, otto.token)).status, 200);
      const list = async (organizationId: string, token: string) =>
        (await call("ListPageTexts", { organizationId, page: "LOGIN_PAGE_LOGIN_NAME" }, { token })).body.texts;
      const title = (texts: { name: string }[]) => texts.find(({ name }) => name === "login_name.title");
      assert.deepEqual(title(await list(acme, otto.token)), {
        name: "login_name.title",
        page: "LOGIN_PAGE_LOGIN_NAME",
        inherited: "Enter",
        isOfInstance: true,
        own: "Welcome",
      });
      const typed = page("LOGIN_NAME", { texts: { "login_name.title": "Hello" } });
      assert.match((await show(server, otto, { organizationId: acme, ...typed })).html, /<h1>Hello<\/h1>/);
      const inherited = page("LOGIN_NAME", { texts: { "login_name.title": "" } });
      assert.match((await show(server, otto, { organizationId: acme, ...inherited })).html, /<h1>Enter<\/h1>/);
      assert.equal((await set({ "login_name.title": "" })).status, 200);
      assert.match((await show(server, olga, page("LOGIN_NAME"))).html, /<h1>Sign in<\/h1>/);
      const left = await call("ListPageTexts", { page: "LOGIN_PAGE_SIGNED_OUT" }, { token: olga.token });
      assert.ok(
        left.body.texts.some(({ own }: { own?: string }) => own === "Leave"),
        "others stay",
      );

      assert.deepEqual(idOf(await set({ "consent.title": "Click" }, acme, otto.token)), [400, "settings.text_unknown"]);
      assert.deepEqual(idOf(await set({ "fault.internal": "Oh" })), [400, "settings.text_unknown"]);
      assert.deepEqual(idOf(await set({ "login_name.title": "{foreign}" })), [400, "settings.translation_placeholder"]);
      const evil = { organizationId: acme, ...page("CONSENT", { texts: { "consent.title": "Click" } }) };
      const refused = await call("CreatePreview", evil, { token: otto.token });
      assert.deepEqual(idOf(refused), [400, "settings.text_unknown"]);
      const foreign = await call("CreatePreview", page("PASSWORD"), { token: otto.token });
      assert.equal(foreign.status, 403);
    });

    await t.test("a preview ends with the appointment of its maker, whatever is stored afterwards", async () => {
      const home = await addOrganization(server, "Home");
      const eva = await administrator(server, "eva", { organizationId: home }, "ORG_OWNER");
      const where = { resource: { organizationId: acme } };
      await appoint(server, eva.person, where.resource, ["ORG_OWNER"]);
      const body = { language: "en", organizationId: acme, ...page("LOGIN_NAME") };
      const made = await server.connect(`${service}/CreatePreview`, body, { token: eva.token });
      const open = async () =>
        (await fetch(server.origin + made.body.path, { headers: { ...framed, cookie: eva.cookie } })).status;
      assert.equal(await open(), 200);
      const permissions = "service.internal_permission.v2.InternalPermissionService";
      const removed = { userId: eva.person.userId, ...where };
      assert.equal((await server.connect(`${permissions}/DeleteAdministrator`, removed)).status, 200);
      assert.equal(await open(), 404);
    });

    await t.test("a test of a message goes to its caller, with texts that are not stored", async () => {
      const message = { kind: "MESSAGE_KIND_INIT", parts: { title: "Hello {{.FirstName}}", buttonText: "Go" } };
      const send = () =>
        server.connect(`${service}/SendTestMessage`, { language: "en", message }, { token: olga.token });
      assert.deepEqual(idOf(await send()), [400, "message_provider.none_active"]);
      const mail = await startMailServer(t);
      await useMailServer(server, mail);
      const sent = await send();
      assert.deepEqual([sent.status, sent.body], [200, { recipient: "olga@mail.example" }]);
      assert.deepEqual(mail.received[0]?.to, ["olga@mail.example"]);
      assert.match(mail.received[0]?.raw ?? "", /Hello Ada/);
      const unknown = { kind: "MESSAGE_KIND_INIT", parts: { text: "{{.Password}}" } };
      const body = { language: "en", message: unknown };
      const refused = await server.connect(`${service}/SendTestMessage`, body, { token: olga.token });
      assert.deepEqual(idOf(refused), [400, "message_text.placeholder_unknown"]);
    });
  });
});

test("every text of the pages of the login belongs to one of them", () => {
  const others = /^(?:account|avatar|console|docs|fault|form_post|impersonation|inbox|keep|start|setup|setup_link)\./;
  const lost = Object.keys(pageTexts).filter((key) => !others.test(key) && pageOfText(key) === undefined);
  assert.deepEqual(lost, []);
});
