import assert from "node:assert/strict";
import { fetch } from "../support/http/fetch.ts";
import { type OidcSetup, setUpOidc, type TestClient } from "../support/oidc/oidc.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";

const own = "https://login.example.com/sign-in/?brand=blue";
const ofInstance = "https://login.instance.example";

function at(server: TestServer, oidc: OidcSetup) {
  const addressOf = ({ clientId, redirectUri }: TestClient, parameters: Readonly<Record<string, string>> = {}) => {
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: "code",
      scope: "openid profile",
      state: "s",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
      ...parameters,
    });
    return `/oauth/v2/authorize?${query}`;
  };
  const go = async (path: string) => {
    const { headers, status } = await fetch(server.origin + path, { redirect: "manual" });
    return { status, cookie: headers.get("set-cookie"), to: new URL(headers.get("location") ?? "", server.origin) };
  };
  return {
    addressOf,
    go,
    authorize: (client: TestClient, parameters?: Readonly<Record<string, string>>) => go(addressOf(client, parameters)),
    require: (loginV2: object) => server.rest("PUT", "/v2/features/instance", { body: { loginV2 } }),
    api: (method: string, path: string, body?: object) =>
      server.rest(method, `/v2/oidc/auth_requests/${path}`, { token: oidc.loginToken, ...(body && { body }) }),
  };
}

serversInTurn((start, test) => {
  test("authorization requests go to the login of the application, which alone can answer them", async (t) => {
    const server = await start(t);
    const oidc = await setUpOidc(server);
    const { addressOf, authorize, go, require, api } = at(server, oidc);
    const [plain, custom, unnamed, hosted] = await Promise.all([
      oidc.createClient(),
      oidc.createClient({ loginVersion: { loginV2: { baseUri: own } } }),
      oidc.createClient({ loginVersion: { loginV2: {} } }),
      oidc.createClient({ loginVersion: { loginV1: {} } }),
    ]);
    const destinations = async () =>
      Promise.all(
        [plain, custom, unnamed, hosted].map(async (client) => {
          const { origin, pathname } = (await authorize(client)).to;
          return origin === server.origin ? pathname : origin + pathname;
        }),
      );
    const ours = "/ui/login";
    const its = "https://login.example.com/sign-in/login";
    const theirs = `${ofInstance}/login`;

    await t.test("by what the application says, then by what the instance says", async () => {
      assert.deepEqual(await destinations(), [ours, its, ours, ours]);
      await require({ required: false, baseUri: ofInstance });
      assert.deepEqual(await destinations(), [ours, its, theirs, ours]);
      await require({ required: true, baseUri: ofInstance });
      assert.deepEqual(await destinations(), [theirs, its, theirs, theirs], "required of everybody");
      await require({ required: true });
      assert.deepEqual(await destinations(), [ours, its, ours, ours], "nobody is sent nowhere");
    });

    await t.test("with an id of its own, no cookie of ours, and every prompt", async () => {
      const { status, cookie, to } = await authorize(custom, { prompt: "none", login_hint: "ada", max_age: "60" });
      assert.deepEqual([status, cookie, to.searchParams.get("brand")], [303, null, "blue"]);
      const id = to.searchParams.get("authRequest") ?? "";
      assert.match(id, /^V2_\d{18,19}$/);
      const { authRequest } = (await api("GET", id)).body;
      const { creationDate: _, ...rest } = authRequest;
      assert.deepEqual(rest, {
        id,
        clientId: custom.clientId,
        redirectUri: custom.redirectUri,
        scope: ["openid", "profile"],
        prompt: ["PROMPT_NONE"],
        loginHint: "ada",
        maxAge: "60s",
        resources: [],
        uiLocales: [],
        acrValues: [],
        essentialAcrValues: [],
      });
      const refused = await api("POST", id, { error: { error: "ERROR_REASON_LOGIN_REQUIRED" } });
      const callback = new URL(refused.body.callbackUrl);
      assert.deepEqual(
        ["error", "state", "iss"].map((name) => callback.searchParams.get(name)),
        ["login_required", "s", server.origin],
      );
      assert.equal((await api("GET", id)).status, 404, "answered once");
    });

    await t.test("nor one whose application was deactivated", async () => {
      const closed = await oidc.createClient({ loginVersion: { loginV2: { baseUri: own } } });
      const id = (await authorize(closed)).to.searchParams.get("authRequest") ?? "";
      const application = { applicationId: closed.applicationId, projectId: oidc.projectId };
      const service = "service.application.v2.ApplicationService";
      const refuse = () => api("POST", id, { error: { error: "ERROR_REASON_LOGIN_REQUIRED" } });
      await server.connect(`${service}/DeactivateApplication`, application);
      const refused = await refuse();
      assert.deepEqual([refused.status, refused.body.callbackUrl], [404, undefined]);
      await server.connect(`${service}/ReactivateApplication`, application);
      assert.equal((await refuse()).status, 200);
    });

    await t.test("nor one whose application was deleted", async () => {
      const gone = await oidc.createClient({ loginVersion: { loginV2: { baseUri: own } } });
      const ids = await Promise.all(
        [1, 2].map(async () => (await authorize(gone)).to.searchParams.get("authRequest") ?? ""),
      );
      const refuse = (id = "") => api("POST", id, { error: { error: "ERROR_REASON_LOGIN_REQUIRED" } });
      assert.equal((await refuse(ids[0])).status, 200);
      const { applicationId } = gone;
      const { projectId } = oidc;
      await server.connect("service.application.v2.ApplicationService/DeleteApplication", { applicationId, projectId });
      const refused = await refuse(ids[1]);
      assert.deepEqual([refused.status, refused.body.callbackUrl], [404, undefined]);
    });

    await t.test("and our pages do not bypass it, whether or not the user is signed in there", async () => {
      const browser = new TestBrowser(server);
      const named = await browser.submit(await browser.open("/ui/login"), { login_name: oidc.user.loginName });
      await browser.submit(named, { password: oidc.user.password });
      const answered = await browser.open(addressOf(plain));
      assert.match(answered.address, /code=/, "the hosted session answers where the hosted login serves");
      const sent = await browser.open(addressOf(custom));
      const id = new URL(sent.address).searchParams.get("authRequest") ?? "";
      assert.equal(new URL(sent.address).host, "login.example.com");
      for (const path of ["/ui/login", "/ui/login/accounts", "/ui/login/password"]) {
        const page = await browser.open(`${path}?authRequest=${id}`);
        assert.ok(!page.address.includes("code="), path);
      }
      const resumed = await go(`/oauth/v2/authorize/callback?id=${id}`);
      assert.ok(!resumed.to.href.includes("code="));
      assert.equal((await api("GET", id)).status, 200, "it still waits");
    });

    await t.test("signing out without an id token leads to it as well, with a checked address", async () => {
      const bye = "https://app.example/bye";
      const leave = async (parameters: Readonly<Record<string, string>>) =>
        (await go(`/oidc/v1/end_session?${new URLSearchParams(parameters)}`)).to;
      const asked = { client_id: custom.clientId, state: "s", logout_hint: "ada", ui_locales: "de" };
      const left = await leave({ ...asked, post_logout_redirect_uri: bye });
      assert.equal(left.origin + left.pathname, "https://login.example.com/sign-in/logout");
      assert.deepEqual(Object.fromEntries(left.searchParams), {
        brand: "blue",
        post_logout_redirect: `${bye}?state=s`,
        logout_hint: "ada",
        ui_locales: "de",
      });
      const plainLeft = await leave({ ...asked, client_id: plain.clientId, post_logout_redirect_uri: bye });
      assert.equal(plainLeft.pathname, "/ui/logout");
      const evil = await leave({ ...asked, post_logout_redirect_uri: "https://evil.example/" });
      assert.ok(!evil.href.includes("login.example.com"), "nothing that is not registered is passed on");
    });
  });
});
