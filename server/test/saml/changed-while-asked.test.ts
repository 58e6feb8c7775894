import assert from "node:assert/strict";
import { test } from "node:test";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { addOrganization, addPerson, defaultOrganization, type Person } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient, redirectUri } from "../support/sign-in/sign-in-client.ts";
import { encodeForm, type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import {
  addProject,
  decodeResponse,
  nodeSaml,
  pathOf,
  postedBy,
  type Registered,
  register,
  startNow,
} from "./support.ts";

const applications = "service.application.v2.ApplicationService";

const little = {
  nameId: "SAML_NAME_ID_PERSISTENT",
  attributes: { attributes: [{ name: "id", source: "SAML_ATTRIBUTE_SOURCE_USER_ID" }] },
};
const named = { ...little, nameId: "SAML_NAME_ID_EMAIL_ADDRESS" };
const much = {
  nameId: "SAML_NAME_ID_EMAIL_ADDRESS",
  attributes: {
    attributes: [
      { name: "id", source: "SAML_ATTRIBUTE_SOURCE_USER_ID" },
      { name: "mail", source: "SAML_ATTRIBUTE_SOURCE_EMAIL" },
      { name: "home", source: "SAML_ATTRIBUTE_SOURCE_ORGANIZATION_ID" },
    ],
  },
};

/** What the page says about each part that an application may be told. */
const topics = { name: "see your name and profile", mail: "see your email address", home: "see which organization" };

const isAsked = ({ address }: ShownPage): boolean => address.startsWith("/ui/login/consent?");

/** The topics that a page for consent lists. */
function listedOn(page: ShownPage): string[] {
  assert.ok(isAsked(page), `${page.address}: ${page.html}`);
  return Object.entries(topics).flatMap(([key, words]) => (page.html.includes(words) ? [key] : []));
}

/** What a service provider is told, of the same parts; undefined for nothing. */
function told(page: ShownPage, { loginName }: Person): string[] | undefined {
  if (!page.html.includes("SAMLResponse")) return undefined;
  const xml = decodeResponse(postedBy(page).fields);
  assert.ok(xml.includes(":status:Success"), xml);
  const attributes = [...xml.matchAll(/<saml:Attribute [^>]*Name="(mail|home)"/g)].map(([, name = ""]) => name);
  return [...(xml.includes(`>${loginName}</saml:NameID>`) ? ["name"] : []), ...attributes];
}

const allow = (browser: TestBrowser, page: ShownPage): Promise<ShownPage> =>
  browser.submit(page, { decision: "allow" }, { action: "/ui/login/consent" });

/** Presses the button, and returns where the browser would go then. */
async function allowAndStay(browser: TestBrowser, page: ShownPage): Promise<string> {
  const form = page.forms.find(({ action }) => action.includes("/ui/login/consent"));
  assert.ok(form, page.html);
  const answered = await browser.send(form.action, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: encodeForm(form, { decision: "allow" }),
  });
  assert.equal(answered.status, 303);
  return answered.headers.get("location") ?? "";
}

async function signIn(browser: TestBrowser, page: ShownPage, person: Person): Promise<ShownPage> {
  const asked = await browser.submit(page, { login_name: person.loginName }, { action: "/ui/login" });
  return browser.submit(asked, { password: person.password }, { action: "/ui/login/password" });
}

async function setOptions(
  server: TestServer,
  { applicationId, projectId }: Registered,
  options: object,
): Promise<void> {
  const body = { applicationId, projectId, samlConfiguration: { options } };
  const changed = await server.connect(`${applications}/UpdateApplication`, body);
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
}

const begin = async (server: TestServer, { entityId }: Registered): Promise<string> =>
  pathOf(await (await nodeSaml(server, entityId, { identifierFormat: null })).getAuthorizeUrlAsync("", undefined, {}));

eachServer((start) => {
  test("a SAML application is told no more than the user agreed to, however it changes meanwhile", async (t) => {
    const server = await startNow(start, t);
    const organizationId = await addOrganization(server, "Elsewhere");
    const projectId = await addProject(server, { organizationId });
    const add = (options: object): Promise<Registered> => register(server, {}, { projectId, options });
    const all = Object.keys(topics);

    await t.test("an application that stays as it was", async () => {
      for (const [username, options, parts] of [
        ["little", little, []],
        ["named", named, ["name"]],
        ["much", much, all],
      ] as const) {
        const vera = await addPerson(server, { username });
        const application = await add(options);
        const browser = new TestBrowser(server);
        const page = await signIn(browser, await browser.open(await begin(server, application)), vera);
        assert.deepEqual(listedOn(page), parts);
        assert.deepEqual(told(await allow(browser, page), vera), parts);
        assert.deepEqual(told(await browser.open(await begin(server, application)), vera), parts, "not asked again");
      }
    });

    await t.test("while the request waits for the user to sign in", async () => {
      for (const [username, before, after, parts] of [
        ["waiting", little, much, all],
        ["waiting-name", little, named, ["name"]],
        ["waiting-less", much, little, []],
      ] as const) {
        const vera = await addPerson(server, { username });
        const application = await add(before);
        const browser = new TestBrowser(server);
        const waiting = await browser.open(await begin(server, application));
        await setOptions(server, application, after);
        const page = await signIn(browser, waiting, vera);
        assert.deepEqual(listedOn(page), parts);
        assert.deepEqual(told(await allow(browser, page), vera), parts);
      }
    });

    await t.test("when the user agreed to less, or to more, before", async () => {
      for (const [username, before, after, isAskedAgain] of [
        ["agreed", little, much, true],
        ["agreed-name", little, named, true],
        ["agreed-more", much, little, false],
      ] as const) {
        const vera = await addPerson(server, { username });
        const application = await add(before);
        const browser = new TestBrowser(server);
        await allow(browser, await signIn(browser, await browser.open(await begin(server, application)), vera));
        const another = new TestBrowser(server);
        const waiting = await another.open(await begin(server, application));
        await setOptions(server, application, after);
        const page = await signIn(another, waiting, vera);
        assert.equal(isAsked(page), isAskedAgain, username);
        if (isAskedAgain) assert.deepEqual(told(await allow(another, page), vera), listedOn(page));
        else assert.deepEqual(told(page, vera), []);
      }
    });

    await t.test("while the page for consent is open, and after it was answered", async () => {
      const vera = await addPerson(server, { username: "open" });
      const application = await add(little);
      const browser = new TestBrowser(server);
      const page = await signIn(browser, await browser.open(await begin(server, application)), vera);
      await setOptions(server, application, named);
      const again = await allow(browser, page);
      assert.deepEqual(listedOn(again), ["name"]);
      // The browser does not follow until the application is another one once more.
      const next = await allowAndStay(browser, again);
      await setOptions(server, application, much);
      const anew = await browser.open(next);
      assert.deepEqual(listedOn(anew), all);
      assert.deepEqual(told(await allow(browser, anew), vera), all);
    });

    await t.test("an application of the user's own organization is told what it is configured for", async () => {
      const vera = await addPerson(server, { username: "home" });
      const ownProjectId = await addProject(server, { organizationId: await defaultOrganization(server) });
      const application = await register(server, {}, { projectId: ownProjectId, options: little });
      const browser = new TestBrowser(server);
      const waiting = await browser.open(await begin(server, application));
      await setOptions(server, application, much);
      assert.deepEqual(told(await signIn(browser, waiting, vera), vera), all);
    });

    await t.test("a login of its own consents to no more than it heard", async () => {
      const { loginToken: token } = await setUpOidc(server);
      const vera = await addPerson(server, { username: "custom" });
      const checks = { user: { userId: vera.userId }, password: { password: vera.password } };
      const { sessionId, sessionToken } = (await server.rest("POST", "/v2/sessions", { body: { checks } })).body;
      const loginVersion = { loginV2: { baseUri: "https://login.example/ui" } };
      const ask = async (application: Registered): Promise<string> => {
        const sent = await new TestBrowser(server).send(await begin(server, application));
        const { searchParams } = new URL(sent.headers.get("location") ?? "", server.origin);
        return searchParams.get("samlRequest") ?? searchParams.get("authRequest") ?? "";
      };
      const answer = async (samlRequestId: string, consentGiven: boolean) => {
        const body = { samlRequestId, session: { sessionId, sessionToken }, consentGiven };
        const { status, body: made } = await server.connect("service.saml.v2.SAMLService/CreateResponse", body, {
          token,
        });
        if (status !== 200) return made.details?.[0].debug?.id ?? made.details?.[0].id ?? JSON.stringify(made);
        const xml = Buffer.from(made.post.samlResponse, "base64").toString();
        return { hasMail: xml.includes('Name="mail"') };
      };
      for (const own of [{ loginVersion }, {}]) {
        const application = await register(server, {}, { projectId, options: little, ...own });
        assert.deepEqual(await answer(await ask(application), true), { hasMail: false });
        const [silent, reported] = [await ask(application), await ask(application)];
        await setOptions(server, application, much);
        assert.match(JSON.stringify(await answer(silent, false)), /auth_request\.consent_required/);
        assert.match(JSON.stringify(await answer(reported, true)), /auth_request\.not_found/);
        assert.deepEqual(await answer(await ask(application), true), { hasMail: true });
        assert.deepEqual(await answer(await ask(application), false), { hasMail: true });
      }
    });

    await t.test("an OpenID Connect client gets what its request named", async () => {
      const vera = await addPerson(server, { username: "oidc" });
      const client = await addClient(server, {}, "Wiki", organizationId);
      const { path, codeVerifier } = client.start();
      const browser = new TestBrowser(server);
      const waiting = await browser.open(path);
      const oidcConfiguration = {
        idTokenUserinfoAssertion: true,
        idTokenRoleAssertion: true,
        roleListAssertion: true,
        groupListAssertion: true,
      };
      const { applicationId } = client;
      const update = async (change: object) => {
        const body = { applicationId, projectId: client.projectId, oidcConfiguration: change };
        const changed = await server.connect(`${applications}/UpdateApplication`, body);
        assert.equal(changed.status, 200, JSON.stringify(changed.body));
      };
      await update(oidcConfiguration);
      const page = await signIn(browser, waiting, vera);
      assert.deepEqual(listedOn(page), []);
      // Another origin ends consents, also the one that was just given.
      const next = await allowAndStay(browser, page);
      await update({ redirectUris: [redirectUri, "https://elsewhere.example/callback"] });
      const again = await browser.open(next);
      assert.ok(isAsked(again) && again.html.includes("elsewhere.example"), again.address);
      const { body: tokens } = await client.exchange((await allow(browser, again)).address, codeVerifier);
      const claims = JSON.parse(Buffer.from(tokens.id_token.split(".")[1], "base64url").toString());
      const userinfo = await server.rest("GET", "/oidc/v1/userinfo", { token: tokens.access_token });
      for (const said of [claims, userinfo.body]) {
        assert.equal(said.sub, vera.userId);
        assert.deepEqual([said.roles, said.groups], [[], []], "of its own project and organization");
        const text = JSON.stringify(said);
        assert.ok(!text.includes("mail.example") && !text.includes(vera.loginName), text);
      }
    });
  });
});
