import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../src/database/index.ts";
import { signedIn } from "../../login/support/sign-in.ts";
import { fetch } from "../../support/http/fetch.ts";
import { type OidcServer, setUpOidc } from "../../support/oidc/oidc.ts";
import { registered, registrationPath, setRegistration } from "../../support/oidc/registration.ts";
import { testCall } from "../../support/operations/call.ts";
import { addOrganization, addPerson } from "../../support/people/people.ts";
import { eachServer } from "../../support/servers/each-server.ts";
import { recordedEvents } from "../../support/servers/recorded-events.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";
import { deviceGrant } from "../device/support.ts";

const nice = "https://calendar.trusted.example/callback";
const evil = "https://evil.example/callback";
const elsewhere = "The redirect address is not registered";

/** A client that registered itself, and what it can do to itself. */
interface Stranger {
  readonly clientId: string;
  readonly clientSecret: string;
  put(change: object): Promise<void>;
  pathOf(redirectUri: string, more?: Readonly<Record<string, string>>): string;
}

async function addStranger(server: OidcServer, more: object = {}): Promise<Stranger> {
  let metadata: Record<string, unknown> = { redirect_uris: [nice], client_name: "Trusted Calendar", ...more };
  const made = await registered(server, metadata, null);
  let token: string = made.registration_access_token;
  const { client_id: clientId, client_secret: clientSecret } = made;
  return {
    clientId,
    clientSecret,
    put: async (change) => {
      metadata = { ...metadata, ...change };
      const body = { client_id: clientId, ...metadata };
      const answer = await server.rest("PUT", `${registrationPath}/${clientId}`, { token, body });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      token = answer.body.registration_access_token;
    },
    pathOf: (redirectUri, parameters = {}) => {
      const common = { client_id: clientId, redirect_uri: redirectUri, response_type: "code", scope: "openid profile" };
      const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
      const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
      return `/oauth/v2/authorize?${new URLSearchParams({ ...common, ...pkce, ...parameters })}`;
    },
  };
}

const allow = (browser: TestBrowser, page: ShownPage): Promise<ShownPage> =>
  browser.submit(page, { decision: "allow" }, { action: "/ui/login/consent" });

const isAsked = ({ address }: ShownPage): boolean => address.startsWith("/ui/login/consent?");

const isSentTo = ({ address }: ShownPage, redirectUri: string): boolean => address.startsWith(`${redirectUri}?code=`);

const consentsTo = async (server: OidcServer, clientId: string): Promise<number> =>
  (await recordedEvents(server)).filter(
    ({ type, aggregateId }) => type === "consent.given" && aggregateId.endsWith(`:${clientId}`),
  ).length;

/** What a silent request gets: an error, or a code. */
const silent = async (browser: TestBrowser, { pathOf }: Stranger, redirectUri: string): Promise<string | null> => {
  const { searchParams } = new URL((await browser.open(pathOf(redirectUri, { prompt: "none" }))).address);
  return searchParams.has("code") ? "code" : searchParams.get("error");
};

eachServer((start) => {
  test("consent is given to the client that the page showed (A18)", async (t) => {
    const base = await start(t);
    const server: OidcServer = { ...base, ...(await setUpOidc(base)) };
    await setRegistration(server, "open", { maxUnusedClientsPerSource: 100 });
    const browser = await signedIn(server, server.user);

    await t.test("a client that takes its redirect URI away gets neither consent nor code", async () => {
      const stranger = await addStranger(server);
      const page = await browser.open(stranger.pathOf(nice));
      assert.ok(isAsked(page) && page.html.includes("calendar.trusted.example"), page.html);
      await stranger.put({ redirect_uris: [evil], client_name: "Evil" });
      const answer = await allow(browser, page);
      assert.deepEqual([answer.status, answer.title.includes(elsewhere)], [400, true], answer.address);
      assert.equal(await silent(browser, stranger, evil), "consent_required");
      assert.equal(await consentsTo(server, stranger.clientId), 0);
    });

    await t.test("every host that the client may have responses sent to is on the page", async () => {
      const stranger = await addStranger(server, { redirect_uris: [nice, evil, "http://127.0.0.1/callback"] });
      const { html } = await browser.open(stranger.pathOf(nice));
      const hosts = [...html.matchAll(/<dd><bdi>([^<]*)<\/bdi><\/dd>/g)].map(([, host]) => host);
      assert.deepEqual(hosts.slice(0, 2), ["calendar.trusted.example", "evil.example"]);
      const alone = await browser.open((await addStranger(server)).pathOf(nice));
      assert.ok(!alone.html.includes("evil.example"));
    });

    await t.test("a client that changes what the page says of it is asked about again", async () => {
      for (const change of [
        { client_name: "Evil" },
        { redirect_uris: [nice, evil] },
        { logo_uri: "https://calendar.trusted.example/logo.png" },
        { policy_uri: "https://evil.example/privacy" },
        { token_endpoint_auth_method: "client_secret_post" },
      ]) {
        const stranger = await addStranger(server);
        const page = await browser.open(stranger.pathOf(nice));
        await stranger.put(change);
        const anew = await allow(browser, page);
        assert.ok(isAsked(anew), `${JSON.stringify(change)}: ${anew.address}`);
        assert.equal(await consentsTo(server, stranger.clientId), 0);
        assert.equal(await silent(browser, stranger, nice), "consent_required");
        assert.ok(isSentTo(await allow(browser, anew), nice));
        assert.equal(await silent(browser, stranger, nice), "code");
      }
    });

    await t.test(
      "an identical registration is not a change, and a change after the answer ends the consent",
      async () => {
        const stranger = await addStranger(server);
        const page = await browser.open(stranger.pathOf(nice));
        await stranger.put({});
        assert.ok(isSentTo(await allow(browser, page), nice));
        await stranger.put({ redirect_uris: [evil] });
        assert.equal(await silent(browser, stranger, evil), "consent_required");
      },
    );

    await t.test("a change beside the answer leaves no consent to what the client became", async () => {
      for (let round = 0; round < 8; round++) {
        const stranger = await addStranger(server);
        const page = await browser.open(stranger.pathOf(nice));
        await Promise.all([stranger.put({ redirect_uris: [evil] }), allow(browser, page)]);
        assert.equal(await silent(browser, stranger, evil), "consent_required", `round ${round}`);
      }
    });

    await t.test("an application of another organization, too", async () => {
      const ownerId = await addOrganization(server, "Elsewhere");
      const { applicationId, projectId, clientId, start: begin } = await addClient(server, {}, "Planner", ownerId);
      const rename = async (name: string) => {
        const changed = await server.connect("service.application.v2.ApplicationService/UpdateApplication", {
          applicationId,
          projectId,
          name,
        });
        assert.equal(changed.status, 200, JSON.stringify(changed.body));
      };
      const page = await browser.open(begin().path);
      assert.ok(isAsked(page) && page.html.includes("Planner"), page.html);
      await rename("Bank");
      const anew = await allow(browser, page);
      assert.ok(isAsked(anew) && anew.html.includes("Bank"), anew.html);
      assert.equal(await consentsTo(server, clientId), 0);
      assert.ok((await allow(browser, anew)).address.includes("code="));
    });

    await t.test("a request that waits goes to no redirect URI that was taken away", async () => {
      const stranger = await addStranger(server, { redirect_uris: [nice, evil] });
      const paths = [stranger.pathOf(nice), stranger.pathOf(evil)];
      const asked = await Promise.all(paths.map((path) => browser.open(path)));
      const [kept, removed] = asked;
      assert.ok(kept && removed && asked.every(isAsked));
      await stranger.put({ redirect_uris: [nice] });
      const shown = await browser.open(removed.address);
      assert.deepEqual([shown.status, shown.title.includes(elsewhere)], [400, true], shown.html);
      const denied = await browser.submit(removed, { decision: "deny" }, { action: "/ui/login/consent" });
      assert.deepEqual([denied.status, denied.title.includes(elsewhere)], [400, true], denied.address);
      const id = new URLSearchParams(removed.address.split("?")[1]).get("authRequest") ?? "";
      const resumed = await browser.open(`/oauth/v2/authorize/callback?id=${id}`);
      assert.deepEqual([resumed.status, resumed.title.includes(elsewhere)], [400, true], resumed.address);
      assert.ok(isSentTo(await allow(browser, await browser.open(kept.address)), nice));
    });

    await t.test("nor does a pushed request", async () => {
      const stranger = await addStranger(server, { redirect_uris: [nice, evil] });
      const push = async (redirectUri: string) => {
        const parameters = new URLSearchParams(stranger.pathOf(redirectUri).split("?")[1]);
        const credentials = { client_id: stranger.clientId, client_secret: stranger.clientSecret };
        const basic = Buffer.from(Object.values(credentials).join(":")).toString("base64");
        const headers = { authorization: `Basic ${basic}` };
        const pushed = await server.form("/oauth/v2/par", Object.fromEntries(parameters), headers);
        assert.equal(pushed.status, 201, JSON.stringify(pushed.body));
        const query = { client_id: stranger.clientId, request_uri: pushed.body.request_uri };
        return `/oauth/v2/authorize?${new URLSearchParams(query)}`;
      };
      const [kept, removed] = [await push(nice), await push(evil)];
      await stranger.put({ redirect_uris: [nice] });
      const refused = await browser.open(removed);
      assert.deepEqual([refused.status, refused.title.includes(elsewhere)], [400, true], refused.address);
      assert.ok(isAsked(await browser.open(kept)));
    });

    await t.test("what a login client asked about ends with a change", async () => {
      const { userId, password } = server.user;
      const checks = { user: { userId }, password: { password } };
      const { body: made } = await server.rest("POST", "/v2/sessions", { body: { checks } });
      const session = { sessionId: made.sessionId, sessionToken: made.sessionToken };
      const call = (method: string, id: string, body?: object) =>
        server.rest(method, `/v2/oidc/auth_requests/${id}`, { token: server.loginToken, ...(body && { body }) });
      const beginFor = async ({ pathOf }: Stranger) => {
        const sent = await fetch(server.origin + pathOf(nice), { redirect: "manual" });
        const { searchParams } = new URL(sent.headers.get("location") ?? "", server.origin);
        return searchParams.get("authRequest") ?? "";
      };
      for (const required of [false, true]) {
        const loginV2 = { required, baseUri: "https://login.example.com" };
        await server.rest("PUT", "/v2/features/instance", { body: { loginV2 } });
        const stranger = await addStranger(server);
        const [gone, renamed] = [await beginFor(stranger), await beginFor(stranger)];
        assert.equal(renamed.startsWith("V2_"), required);
        await stranger.put({ client_name: "Evil" });
        const refused = await call("POST", renamed, { session, consentGiven: true });
        assert.deepEqual([refused.status, refused.body.details?.[0].id], [404, "auth_request.not_found"]);
        assert.equal(await consentsTo(server, stranger.clientId), 0);
        const same = await beginFor(stranger);
        await stranger.put({});
        const answered = await call("POST", same, { session, consentGiven: true });
        assert.equal(answered.status, 200, JSON.stringify(answered.body));
        assert.ok(answered.body.callbackUrl.startsWith(nice));
        await stranger.put({ redirect_uris: [evil] });
        const error = { error: "ERROR_REASON_ACCESS_DENIED" };
        for (const answer of [
          await call("GET", gone),
          await call("POST", gone, { session }),
          await call("POST", gone, { error }),
        ]) {
          assert.deepEqual([answer.status, answer.body.details?.[0].id], [404, "auth_request.not_found"]);
        }
      }
      await server.rest("PUT", "/v2/features/instance", { body: { loginV2: { required: false } } });
    });

    await t.test("a device that waits ends with a change of its client", async () => {
      const metadata = { grant_types: ["authorization_code", deviceGrant], token_endpoint_auth_method: "none" };
      const stranger = await addStranger(server, metadata);
      const wait = async () => {
        const asked = await server.form("/oauth/v2/device_authorization", { client_id: stranger.clientId });
        assert.equal(asked.status, 200, JSON.stringify(asked.body));
        const { user_code, device_code } = asked.body;
        const page = await browser.submit(await browser.open("/ui/login/device"), { user_code });
        assert.ok(page.address.startsWith("/ui/login/device/confirm"), page.address);
        const poll = async () => {
          const grant = { grant_type: deviceGrant, device_code, client_id: stranger.clientId };
          const { status, body } = await server.form("/oauth/v2/token", grant);
          return status === 200 ? "tokens" : body.error;
        };
        return { poll, press: () => press(browser, page) };
      };
      const changed = await wait();
      await stranger.put({ client_name: "Evil" });
      await changed.press();
      assert.equal(await changed.poll(), "access_denied");
      assert.equal(await consentsTo(server, stranger.clientId), 0);
      const same = await wait();
      await stranger.put({});
      assert.match((await same.press()).title, /^The device is connected/);
      assert.equal(await same.poll(), "tokens");
    });

    await t.test("a device of another organization's application is asked about again", async () => {
      const ownerId = await addOrganization(server, "Devices");
      const configuration = { grantTypes: ["authorization_code", deviceGrant], authMethod: "none" } as const;
      const client = await addClient(server, configuration, "Television", ownerId);
      const asked = await server.form("/oauth/v2/device_authorization", { client_id: client.clientId });
      const { user_code } = asked.body;
      const page = await browser.submit(await browser.open("/ui/login/device"), { user_code });
      assert.ok(page.html.includes("Television"), page.html);
      const { applicationId, projectId } = client;
      const change = { applicationId, projectId, name: "Bank" };
      const renamed = await server.connect("service.application.v2.ApplicationService/UpdateApplication", change);
      assert.equal(renamed.status, 200, JSON.stringify(renamed.body));
      const anew = await press(browser, page);
      assert.ok(anew.address.startsWith("/ui/login/device/confirm") && anew.html.includes("Bank"), anew.address);
      assert.equal(await consentsTo(server, client.clientId), 0);
      assert.match((await press(browser, anew)).title, /^The device is connected/);
    });
  });

  test("a browser that signs in is not sent to a redirect URI that an administrator took away", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const { applicationId, projectId, start: begin } = await addClient(server, { redirectUris: [nice, evil] });
    const update = async (redirectUris: readonly string[]) => {
      const oidcConfiguration = { redirectUris };
      const change = { applicationId, projectId, oidcConfiguration };
      const changed = await server.connect("service.application.v2.ApplicationService/UpdateApplication", change);
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
    };
    for (const [left, isLeft] of [
      [[nice, evil], true],
      [[evil], false],
    ] as const) {
      const browser = new TestBrowser(server);
      const named = await browser.submit(await browser.open(begin().path), { login_name: ada.loginName });
      await update(left);
      const end = await browser.submit(named, { password: ada.password }, { action: "/ui/login/password" });
      assert.equal(end.address.startsWith(nice), isLeft, end.address);
      assert.equal(end.title.includes(elsewhere), !isLeft, end.title);
    }
  });

  test("a node that was not told yet sends no browser to a redirect URI that was taken away", async (t) => {
    const server = await start(t);
    const { loginToken, user } = await setUpOidc(server);
    const ada = await addPerson(server, { username: "grace" });
    const { applicationId, start: begin } = await addClient(server, { redirectUris: [nice, evil] });
    const requests: string[] = [];
    for (const parameters of [{}, {}, { response_mode: "form_post" }, { response_mode: "form_post" }]) {
      const sent = await fetch(server.origin + begin(parameters).path, { redirect: "manual" });
      const { searchParams } = new URL(sent.headers.get("location") ?? "", server.origin);
      requests.push(searchParams.get("authRequest") ?? "");
    }
    const [first = "", second = "", third = "", fourth = ""] = requests;
    const checks = { user: { userId: user.userId }, password: { password: user.password } };
    const { sessionId, sessionToken } = (await server.rest("POST", "/v2/sessions", { body: { checks } })).body;
    const answer = async (id: string) => {
      const body = { session: { sessionId, sessionToken } };
      return server.rest("POST", `/v2/oidc/auth_requests/${id}`, { token: loginToken, body });
    };
    const { instanceId = "" } = (await server.app.domain.findInstanceByHost("localhost")) ?? {};
    const signInAfter = async (change: () => Promise<unknown>) => {
      const browser = new TestBrowser(server);
      const named = await browser.submit(await browser.open(begin().path), { login_name: ada.loginName });
      await change();
      return browser.submit(named, { password: ada.password }, { action: "/ui/login/password" });
    };
    const kept = await signInAfter(async () => undefined);
    assert.ok(kept.address.startsWith(nice), kept.address);
    assert.equal((await answer(first)).status, 200);
    const posted = async ({ body }: { readonly body: { readonly callbackUrl: string } }) =>
      (await fetch(body.callbackUrl)).status;
    assert.equal(await posted(await answer(third)), 200);
    const waiting = await answer(fourth);
    const signedInBrowser = await signedIn(server, ada);
    const ask = (parameters: Record<string, string>, browser = signedInBrowser) => browser.open(begin(parameters).path);
    const direct = [{}, { prompt: "none" }, { prompt: "none", max_age: "0" }] as const;
    for (const parameters of direct) assert.ok((await ask(parameters)).address.startsWith(nice));
    // Another node would change the row and write an event; this one keeps the client in memory until it has read it.
    const removed = await signInAfter(() =>
      server.app.domain.database.touch(testCall({ instanceId }), (tx) =>
        tx.run(sql`update applications set configuration = replace(configuration, ${nice}, ${evil})
          where instance_id = ${instanceId} and application_id = ${applicationId}`),
      ),
    );
    assert.deepEqual([removed.status, removed.title.includes(elsewhere)], [400, true], removed.address);
    assert.equal((await answer(second)).status, 404, "nor does a login of one's own");
    assert.equal(await posted(waiting), 400, "nor is a response posted that waited for the browser");
    for (const parameters of direct) {
      const { address, status } = await ask(parameters);
      assert.deepEqual(
        [new URL(address, server.origin).origin, status],
        [server.origin, 400],
        JSON.stringify(parameters),
      );
    }
  });
});

/** Presses the button that allows a device. */
function press(browser: TestBrowser, page: ShownPage): Promise<ShownPage> {
  const form = page.forms.find(({ values }) => values.some(([, value]) => value === "allow"));
  assert.ok(form, page.html);
  return browser.submit({ ...page, forms: [form] });
}
