import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProviderConfiguration } from "../../src/domain/identity-provider/index.ts";
import { oidcAt, putProvider } from "../support/identity-provider/identity-providers.ts";
import { type PeerClient, startOpenIdPeer } from "../support/identity-provider/openid-peer.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { startServer } from "../support/servers/server.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";

const secret = "a secret of the client, with % & + and /";
/** What the peer requires of us, by the name of the client. */
const configurations: Readonly<Record<string, Omit<PeerClient, "client_id">>> = {
  basic: { token_endpoint_auth_method: "client_secret_basic" },
  post: { token_endpoint_auth_method: "client_secret_post" },
  public: { token_endpoint_auth_method: "none" },
  es256: { id_token_signed_response_alg: "ES256" },
  ps256: { id_token_signed_response_alg: "PS256" },
  ed25519: { id_token_signed_response_alg: "Ed25519" },
  "signed userinfo": { userinfo_signed_response_alg: "RS256" },
  "form post": {},
  "refuses ours": { client_secret: "another" },
};

test("users sign in at npm's oidc-provider", async (t) => {
  const server = await startServer(t, { now: Date.now() });
  const callback = `${server.origin}/idps/callback`;
  const clients = Object.entries(configurations).map(([name, configuration]) => {
    const isPublic = configuration["token_endpoint_auth_method"] === "none";
    return { client_id: name, ...(!isPublic && { client_secret: secret }), ...configuration };
  });
  const peer = await startOpenIdPeer(t, callback, clients);
  const configurationOf = (clientId: string): ProviderConfiguration => {
    if (clientId !== "form post") return { ...oidcAt(peer.issuer), clientId } as ProviderConfiguration;
    return {
      kind: "oauth",
      clientId,
      scopes: ["openid", "profile", "email"],
      idAttribute: "sub",
      usePkce: true,
      // The address determines how an answer comes.
      authorizationEndpoint: `${peer.issuer}/auth?response_mode=form_post`,
      tokenEndpoint: `${peer.issuer}/token`,
      userEndpoint: `${peer.issuer}/me`,
    };
  };
  const ids: Record<string, string> = {};
  for (const { client_id: name, ...client } of clients) {
    const isPublic = !("client_secret" in client);
    ids[name] = await putProvider(server, {
      configuration: configurationOf(name),
      options: { isAutoCreation: true },
      ...(!isPublic && { secret }),
    });
  }
  await changeSettings(server, "login", { identityProviderIds: Object.values(ids) });
  const browser = new TestBrowser(server);

  /** Presses a provider's button and signs in there as a person; returns what the peer sends the browser away with. */
  const through = async (name: string, person: typeof peer.person): Promise<ShownPage> => {
    peer.person = person;
    const start = await browser.open("/ui/login?account=other");
    const away = await browser.submit(start, { provider: ids[name] ?? "" }, { action: "/ui/login/provider" });
    assert.ok(away.address.startsWith(`${peer.issuer}/auth?`), away.html);
    const { pathname, search } = new URL(away.address);
    const there = await new TestBrowser({ origin: peer.issuer }).open(pathname + search);
    assert.deepEqual(peer.failures, []);
    return there;
  };
  const comeBack = (there: ShownPage): Promise<ShownPage> => {
    assert.ok(there.address.startsWith(`${callback}?`), there.address + there.html);
    return browser.open(there.address.slice(server.origin.length));
  };
  const personOf = (name: string) => ({
    sub: `person ${name}`,
    email: `${name.replaceAll(" ", "-")}@peer.example`,
    email_verified: true,
    given_name: "Péer",
    family_name: name,
    name: `Péer ${name}`,
  });
  const userOf = async (name: string) => {
    const queries = [{ emailQuery: { emailAddress: personOf(name).email } }];
    return (await server.rest("POST", "/v2/users", { body: { queries } })).body.result?.[0];
  };

  for (const name of Object.keys(configurations).filter(
    (configuration) => configuration !== "form post" && configuration !== "refuses ours",
  )) {
    await t.test(`the whole flow: ${name}`, async () => {
      const home = await comeBack(await through(name, personOf(name)));
      assert.equal(home.address, "/ui/login/signed-in", home.html);
      const { human, userId } = await userOf(name);
      assert.deepEqual([human.profile.givenName, human.profile.familyName], ["Péer", name]);
      assert.equal(human.email.isVerified, true);
      const links = await server.rest("POST", `/v2/users/${userId}/links/_search`, { body: {} });
      assert.equal(links.body.result[0].userId, `person ${name}`);
    });
  }

  await t.test("an answer that is posted from the provider's page, without our cookie", async () => {
    const there = await through("form post", personOf("form post"));
    const form = there.forms[0];
    assert.equal(form?.action, callback, there.html);
    const values = new URLSearchParams(form.values.map(([name, value]) => [name, value]));
    const send = (body: string) =>
      fetch(callback, {
        method: "POST",
        redirect: "manual",
        body,
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          origin: peer.issuer,
          "sec-fetch-site": "cross-site",
        },
      });
    const posted = await send(values.toString());
    const location = new URL(posted.headers.get("location") ?? "", server.origin);
    assert.deepEqual([posted.status, location.pathname], [303, "/idps/callback"]);
    assert.deepEqual([...location.searchParams.keys()], ["state"], "the code is in no address");
    assert.equal(posted.headers.get("set-cookie"), null);
    // A later post changes nothing, and other browsers learn nothing.
    assert.equal((await send(`state=${values.get("state")}&code=another`)).status, 303);
    const next = location.pathname + location.search;
    assert.match((await new TestBrowser(server).open(next)).title, /another browser/);
    const home = await browser.open(next);
    assert.equal(home.address, "/ui/login/signed-in", home.html);
    assert.equal((await userOf("form post")).human.profile.givenName, "Péer");
  });

  await t.test("a provider that takes no secret is shown a proof, by published keys", async (s) => {
    // Its own guard would not let it ask this machine for keys.
    const ask = (url: string, { headers, signal }: RequestInit) =>
      fetch(url, { headers: headers ?? {}, signal: signal ?? null });
    const methods = { clientAuthMethods: ["private_key_jwt"], fetch: ask };
    const key = { token_endpoint_auth_method: "private_key_jwt", jwks_uri: `${server.origin}/oauth/v2/keys` };
    const own = `${server.origin}/our-issuer`;
    const strict = await startOpenIdPeer(
      t,
      callback,
      [
        { client_id: "by key", ...key },
        { client_id: own, ...key },
      ],
      methods,
    );
    const come = async (clientId: string, name: string) => {
      const configuration = { ...oidcAt(strict.issuer), clientId } as ProviderConfiguration;
      const id = await putProvider(server, { configuration, secret: "not sent", options: { isAutoCreation: true } });
      await changeSettings(server, "login", { identityProviderIds: [id] });
      strict.person = personOf(name);
      const start = await browser.open("/ui/login?account=other");
      const away = new URL((await browser.submit(start, { provider: id }, { action: "/ui/login/provider" })).address);
      const there = await new TestBrowser({ origin: strict.issuer }).open(away.pathname + away.search);
      assert.deepEqual(strict.failures, []);
      return comeBack(there);
    };
    assert.equal((await come("by key", "by key")).address, "/ui/login/signed-in");
    assert.equal((await userOf("by key")).human.email.isVerified, true);
    await s.test("but nothing is signed that could be a token of ours", async () => {
      assert.match((await come(own, "confused")).title, /failed/);
      assert.equal(await userOf("confused"), undefined);
    });
    await changeSettings(server, "login", { identityProviderIds: Object.values(ids) });
  });

  await t.test("users who cancel, and what the peer refuses", async () => {
    const cancelled = await comeBack(await through("basic", undefined));
    assert.match(cancelled.title, /canceled/);
    const refused = await comeBack(await through("refuses ours", personOf("refused")));
    assert.match(refused.title, /failed/);
    assert.equal(await userOf("refused"), undefined);
    // Each is recognized by the peer's id alone.
    const moved = { ...personOf("basic"), email: "elsewhere@peer.example" };
    assert.equal((await comeBack(await through("basic", moved))).address, "/ui/login/signed-in");
    assert.equal((await userOf("basic")).human.email.isVerified, true);
  });
});
