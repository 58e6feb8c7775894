import assert from "node:assert/strict";
import { type Language, languages } from "../../src/base/language.ts";
import { createTexts } from "../../src/text/index.ts";
import { fetch } from "../support/http/fetch.ts";
import { type OidcServer, setUpOidc, type TestClient } from "../support/oidc/oidc.ts";
import { registered, setRegistration } from "../support/oidc/registration.ts";
import { addResource } from "../support/oidc/resources.ts";
import { addPerson } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient, redirectUri, type SignInClient } from "../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { enter, isBack, requestIn, signedIn, visit } from "./support/sign-in.ts";

const isAsked = ({ address, title }: ShownPage): boolean =>
  address.startsWith("/ui/login/consent?") && title.startsWith("Allow access?");

const decide = (browser: TestBrowser, page: ShownPage, decision: "allow" | "deny"): Promise<ShownPage> =>
  browser.submit(page, { decision }, { action: "/ui/login/consent" });

const errorOf = ({ address }: ShownPage): string | null => new URL(address).searchParams.get("error");

const consentEvents = async (server: TestServer) =>
  (await recordedEvents(server)).filter(({ aggregateType }) => aggregateType === "consent");

/** Makes a client that is not trusted, and a browser in which Ada is signed in. */
async function arrange(server: TestServer, configuration: Parameters<typeof addClient>[1] = {}) {
  const ada = await addPerson(server, { username: "ada" });
  const client = await addClient(server, { isConsentRequired: true, ...configuration });
  return { ada, client, browser: await signedIn(server, ada) };
}

const open = async (server: TestServer, client: SignInClient, browser: TestBrowser, parameters = {}) =>
  (await visit(server, client, parameters, browser)).page;

/** Where a client that registered itself sends a browser. */
const pathOf = ({ client_id }: { readonly client_id: string }): string =>
  `/oauth/v2/authorize?${new URLSearchParams({
    client_id,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  })}`;

/** Makes a request that waits for a login, and a session that could answer it. */
async function waiting(server: OidcServer, client: TestClient) {
  const query = new URLSearchParams({
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: "code",
    scope: "openid",
  });
  const sent = await fetch(`${server.origin}/oauth/v2/authorize?${query}`, { redirect: "manual" });
  const { userId, password } = server.user;
  const { body } = await server.rest("POST", "/v2/sessions", {
    body: { checks: { user: { userId }, password: { password } } },
  });
  const { sessionId, sessionToken } = body;
  return { authRequest: requestIn(sent.headers.get("location") ?? ""), session: { sessionId, sessionToken } };
}

serversInTurn((start, test) => {
  test("for a self-registered client that asks for our own APIs, the page says that it wants access to the account, however it asks", async (t) => {
    const server = await start(t);
    const { client, browser } = await arrange(server);
    const foreign = await addClient(server);
    await addResource(server, client.projectId, "https://api.example");
    const { systemProjectId = "" } = (await server.app.domain.findInstanceByHost("localhost")) ?? {};
    const aud = (project: string, word = "service") => ({
      scope: `openid urn:${word}:iam:org:project:id:${project}:aud`,
    });
    const rows: readonly [parameters: Record<string, string>, isForUs: boolean, isForOthers: boolean][] = [
      [aud("service"), true, false],
      [aud("zitadel", "zitadel"), true, false],
      [aud(systemProjectId), true, false],
      [{ resource: server.origin }, true, false],
      [{ resource: `${server.origin}/` }, true, false],
      [aud(foreign.projectId), false, true],
      [{ resource: "https://api.example" }, false, false],
      [{}, false, false],
    ];
    for (const [parameters, isForUs, isForOthers] of rows) {
      const asked = await open(server, client, browser, parameters);
      assert.ok(isAsked(asked), asked.html);
      assert.equal(asked.html.includes("see your account data"), isForUs, JSON.stringify(parameters));
      assert.equal(asked.html.includes("act for you at other services"), isForOthers, JSON.stringify(parameters));
    }
    assert.equal(errorOf(await open(server, client, browser, aud("4711"))), "invalid_scope");
    const asked = await open(server, client, browser, aud("service"));
    assert.ok(isBack(await decide(browser, asked, "allow")));
  });

  test("metadata and the organization of the user are named as what they are, in every language (L3)", async (t) => {
    const server = await start(t);
    const { client, browser } = await arrange(server);
    const texts = createTexts();
    const asked = async (scope: string, language: Language) => {
      const page = await open(server, client, browser, { scope, ui_locales: language });
      assert.match(page.address, /^\/ui\/login\/consent\?/);
      const [, list = ""] = /<ul class="scopes">(.*?)<\/ul>/s.exec(page.html) ?? [];
      return list.split("<li>").slice(1);
    };
    for (const language of languages) {
      const words = (...topics: ("identity" | "profile" | "metadata" | "other")[]) =>
        topics.map((topic) => texts.translate(language, `scope.${topic}`));
      assert.deepEqual(await asked("openid profile", language), words("identity", "profile"));
      for (const word of ["service", "zitadel"]) {
        const metadata = `openid urn:${word}:iam:user:metadata`;
        assert.deepEqual(await asked(metadata, language), words("identity", "metadata"));
        assert.deepEqual(await asked(`${metadata} profile`, language), words("identity", "profile", "metadata"));
      }
    }
    assert.deepEqual(await asked("openid urn:zitadel:iam:user:metadata", "en"), [
      "know who you are",
      "see additional data that your organization stores about you",
    ]);
    assert.deepEqual(await asked("openid urn:service:iam:user:resourceowner", "en"), [
      "know who you are",
      "see which organization you belong to",
    ]);
  });

  test("a signed-in user is asked before a third party gets anything, once for the same scopes", async (t) => {
    const server = await start(t);
    const { ada, client, browser } = await arrange(server);
    const asked = await open(server, client, browser, { scope: "openid email" });
    assert.ok(isAsked(asked), asked.address);
    for (const shown of ["Shop", "shop.example", "see your email address", ada.loginName]) {
      assert.ok(asked.html.includes(shown), shown);
    }
    const request = requestIn(asked.address);
    const resumed = await browser.open(`/oauth/v2/authorize/callback?id=${request}`);
    assert.ok(isAsked(resumed), "no way around it");
    assert.ok(isBack(await decide(browser, asked, "allow")));
    assert.ok(isBack(await open(server, client, browser, { scope: "openid email" })), "not asked again");
    assert.ok(isBack(await open(server, client, browser, { scope: "openid" })), "nor for less");
    const more = await open(server, client, browser, { scope: "openid phone" });
    assert.ok(isAsked(more), "asked for more");
    assert.ok(isBack(await decide(browser, more, "allow")));
    const both = { scope: "openid email phone" };
    assert.ok(isBack(await open(server, client, browser, both)), "what was agreed to before stays");
    assert.ok(isAsked(await open(server, client, browser, { ...both, prompt: "consent" })), "prompt=consent");
    const named = JSON.stringify({ userinfo: { given_name: null } });
    assert.ok(isAsked(await open(server, client, browser, { claims: named })), "claims are asked for as scopes are");
    const events = await consentEvents(server);
    assert.deepEqual(
      events.map(({ type, payload }) => [type, payload["scopes"]]),
      [
        ["consent.given", ["email", "openid"]],
        ["consent.given", ["email", "openid", "phone"]],
      ],
    );
  });

  test("a client's own terms and privacy policy are linked, with the hosts that they are at (C8)", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    await setRegistration(server, "open");
    const made = await registered(
      server,
      {
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: "none",
        client_name: "Notebook",
        policy_uri: "https://notebook.example/privacy?a=1&b=2",
        tos_uri: "https://terms.example/",
        logo_uri: "https://notebook.example/logo.png",
      },
      null,
    );
    const browser = await signedIn(server, ada);
    const asked = await browser.open(pathOf(made));
    assert.ok(isAsked(asked), asked.address);
    for (const [address, host] of [
      ["https://notebook.example/privacy?a=1&amp;b=2", "notebook.example"],
      ["https://terms.example/", "terms.example"],
    ]) {
      const link = `href="${address}" target="_blank" rel="noopener noreferrer nofollow"><bdi>${host}</bdi>`;
      assert.ok(asked.html.includes(link), asked.html);
    }
    assert.ok(!asked.html.includes("logo.png"), "the browser asks no stranger for a picture");
    const own = await addClient(server, { isConsentRequired: true });
    assert.ok(!(await open(server, own, browser)).html.includes("noreferrer nofollow"));
  });

  test("refusing tells the client so, and nothing is remembered", async (t) => {
    const server = await start(t);
    const { client, browser } = await arrange(server);
    const refused = await decide(browser, await open(server, client, browser), "deny");
    assert.ok(refused.address.startsWith(`${redirectUri}?`), refused.address);
    assert.equal(errorOf(refused), "access_denied");
    assert.ok(isAsked(await open(server, client, browser)));
    assert.deepEqual(await consentEvents(server), []);
  });

  test("prompt=none never asks: it is refused until the user has consented", async (t) => {
    const server = await start(t);
    const { client, browser } = await arrange(server);
    const silent = { prompt: "none" };
    assert.equal(errorOf(await open(server, client, browser, silent)), "consent_required");
    await decide(browser, await open(server, client, browser), "allow");
    assert.ok(isBack(await open(server, client, browser, silent)));
  });

  test("after signing in for the request it is asked too, and of the account that was chosen", async (t) => {
    const server = await start(t);
    const { client, browser } = await arrange(server);
    const bob = await addPerson(server, { username: "bob" });
    const fresh = await visit(server, client);
    const asked = await enter(fresh, bob);
    assert.ok(isAsked(asked), asked.address);
    assert.ok(asked.html.includes(bob.loginName));

    const ofAda = await open(server, client, browser);
    const request = requestIn(ofAda.address);
    const other = await browser.open(`/ui/login?authRequest=${request}&account=other`);
    const ofBob = await enter({ browser, page: other }, bob);
    assert.ok(isAsked(ofBob) && ofBob.html.includes(bob.loginName));
    const stale = await decide(browser, ofAda, "allow");
    assert.ok(isAsked(stale), "what was said for one account counts for no other");
    assert.ok(isBack(await decide(browser, stale, "allow")));
  });

  test("only the browser that brought the request decides, and only about what waits", async (t) => {
    const server = await start(t);
    const { ada, client, browser } = await arrange(server);
    const asked = await open(server, client, browser);
    const stranger = new TestBrowser(server);
    await signedIn(server, ada, stranger);
    const { address } = await stranger.open(asked.address);
    assert.ok(!address.startsWith("/ui/login/consent") || !isAsked(await stranger.open(address)));
    const back = await decide(browser, asked, "allow");
    assert.ok(isBack(back));
    const again = await decide(browser, asked, "allow");
    assert.ok(!isBack(again), "answered once");
  });

  test("a client that any program on the machine can impersonate is asked about each time", async (t) => {
    const server = await start(t);
    for (const uri of ["http://127.0.0.1/callback", "com.example.shop:/callback"]) {
      const { client, browser } = await arrangeNative(server, uri);
      for (const round of [1, 2]) {
        const asked = await open(server, client, browser, { redirect_uri: uri });
        assert.ok(isAsked(asked), `${uri} ${round}`);
        assert.match(asked.html, /a program on this device/);
        const back = await decide(browser, asked, "allow");
        assert.ok(!back.address.startsWith("/ui/"), back.address);
      }
    }
  });

  test("taking access away in the account takes the consent too", async (t) => {
    const server = await start(t);
    const { client, browser } = await arrange(server);
    await decide(browser, await open(server, client, browser), "allow");
    const applications = await browser.open("/ui/account/applications");
    assert.match(applications.html, /does not need to ask again/);
    const revoked = await browser.submit(applications, {}, { action: "/ui/account/applications" });
    assert.match(revoked.html, /No application has access/);
    assert.ok(isAsked(await open(server, client, browser)));
    await decide(browser, await open(server, client, browser), "allow");
    const types = (await consentEvents(server)).map(({ type }) => type);
    assert.deepEqual(types, ["consent.given", "consent.withdrawn", "consent.given"]);
  });

  test("a custom login answers only when it reports the user's consent, or when the user consented before", async (t) => {
    const base = await start(t);
    const server = { ...base, ...(await setUpOidc(base)) };
    const client = await server.createClient({ consentRequired: true });
    const silent = async (): Promise<string> => {
      const { authRequest, session } = await waiting(server, client);
      const refused = await server.rest("POST", `/v2/oidc/auth_requests/${authRequest}`, {
        token: server.loginToken,
        body: { session },
      });
      return refused.status === 200 ? "answered" : refused.body.details[0].id;
    };
    assert.equal(await silent(), "auth_request.consent_required");
    const { code } = await server.signIn({ client });
    assert.ok(code);
    assert.equal(await silent(), "answered");
    assert.equal((await consentEvents(server)).length, 1);
  });

  test("self-registered clients ask for consent; those that an administrator registered do not, unless set otherwise", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const browser = await signedIn(server, ada);
    const metadata = { redirect_uris: [redirectUri], token_endpoint_auth_method: "none", client_name: "Stranger" };
    await setRegistration(server, "open");
    const stranger = await registered(server, metadata, null);
    const known = await registered(server, metadata);
    assert.ok(isBack(await browser.open(pathOf(known))));
    assert.ok(isAsked(await browser.open(pathOf(stranger))));
    const listed = await server.connect("service.application.v2.ApplicationService/ListApplications", {});
    const application = listed.body.applications.find(
      (one: { oidcConfiguration?: { clientId: string } }) => one.oidcConfiguration?.clientId === stranger.client_id,
    );
    assert.equal(application.oidcConfiguration.consentRequired, true);
    const { applicationId, projectId, etag } = application;
    const changed = await server.connect("service.application.v2.ApplicationService/UpdateApplication", {
      applicationId,
      projectId,
      etag,
      oidcConfiguration: { consentRequired: false },
    });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.ok(isBack(await browser.open(pathOf(stranger))), "vouched for");
    const { registration_access_token: token, client_id } = stranger;
    const body = { ...metadata, client_id, redirect_uris: [redirectUri, "https://elsewhere.example/"] };
    const replaced = await server.rest("PUT", `/oauth/v2/register/${client_id}`, { token, body });
    assert.equal(replaced.status, 401, "it stays what the administrator vouched for");
    assert.ok(isBack(await browser.open(pathOf(stranger))));
    const { registration_access_token: knownToken, client_id: knownId } = known;
    const renamed = { ...metadata, client_name: "Known" };
    const path = `/oauth/v2/register/${knownId}`;
    assert.equal((await server.rest("PUT", path, { token: knownToken, body: renamed })).status, 200);
    assert.ok(isAsked(await browser.open(pathOf(known))), "a stranger when it changes");
  });

  test("what a client changes about itself ends the consents to what it was (A18)", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const browser = await signedIn(server, ada);
    await setRegistration(server, "open");
    let metadata: Record<string, unknown> = {
      redirect_uris: [redirectUri],
      client_name: "Shop",
      token_endpoint_auth_method: "client_secret_basic",
    };
    let { client_id: clientId, registration_access_token: token } = await registered(server, metadata, null);
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: "code",
      scope: "openid",
    });
    const open = () => browser.open(`/oauth/v2/authorize?${query}`);
    const put = async (more: object) => {
      metadata = { ...metadata, ...more };
      const body = { client_id: clientId, ...metadata };
      const answer = await server.rest("PUT", `/oauth/v2/register/${clientId}`, { token, body });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      ({ client_id: clientId, registration_access_token: token } = answer.body);
    };
    assert.ok(isBack(await decide(browser, await open(), "allow")));
    await put({});
    assert.ok(isBack(await open()), "the same once more changes nothing");
    for (const change of [
      { client_name: "Bank" },
      { redirect_uris: [redirectUri, "https://other.example/callback"] },
      { logo_uri: "https://shop.example/logo.png" },
      { jwks: { keys: [{ kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" }] } },
    ]) {
      await put(change);
      const asked = await open();
      assert.ok(isAsked(asked), JSON.stringify(change));
      assert.ok(isBack(await decide(browser, asked, "allow")));
      assert.ok(isBack(await open()));
    }
  });
});

let natives = 0;

async function arrangeNative(server: TestServer, uri: string) {
  const person = await addPerson(server, { username: `native${++natives}` });
  const client = await addClient(server, {
    isConsentRequired: true,
    redirectUris: [uri],
    applicationType: "native",
    isNativeSuccessPageSkipped: true,
  });
  return { client, browser: await signedIn(server, person) };
}
