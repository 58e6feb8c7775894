import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "../support/databases/databases.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { appoint } from "../support/people/people.ts";
import { createSecondInstance, secondHost, systemUser } from "../support/people/system-user.ts";
import { eachTopology, race } from "../support/servers/nodes.ts";
import { startServer } from "../support/servers/server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import {
  answerIn,
  askAs,
  callWith,
  commandLineId,
  deviceGrant,
  loopback,
  redeemCode,
  refresh,
  signInToCommandLine,
  walkToQuestion,
} from "./support.ts";

const applications = "service.application.v2.ApplicationService";

eachEngine((_open, engine) => {
  test("a token of the command line is short, may do what its user may and no more, and rotates", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { clientId, tokens } = await signInToCommandLine(server);
    assert.equal(tokens.expires_in, 900);
    assert.equal(await callWith(server, tokens.access_token), 200);
    const rename = { organizationId: server.organizationId, name: "Renamed" };
    const update = "service.org.v2.OrganizationService/UpdateOrganization";
    const may = async (token: string) => (await server.connect(update, rename, { token })).status;
    assert.notEqual(await may(tokens.access_token), 200);
    await appoint(server, server.user, { organizationId: server.organizationId }, ["ORG_OWNER"]);
    assert.equal(await may(tokens.access_token), 200);

    const next = await refresh(server, clientId, tokens.refresh_token);
    assert.deepEqual([next.status, next.body.expires_in], [200, 900], JSON.stringify(next.body));
    assert.equal(await callWith(server, next.body.access_token), 200);
    assert.equal((await refresh(server, clientId, tokens.refresh_token)).status, 400, "it was used");
    assert.equal(await callWith(server, next.body.access_token), 401, "a second use ends all of it");
    assert.equal((await refresh(server, clientId, next.body.refresh_token)).status, 400);
  });

  test("a code of the command line goes to loopback addresses, on any port, and nowhere else", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { clientId, browser } = await signInToCommandLine(server);
    for (const redirect_uri of [
      "http://127.0.0.1:1/callback",
      "http://127.0.0.1/callback",
      "http://[::1]:65535/callback",
    ]) {
      const { page } = await askAs(browser, clientId, { redirect_uri });
      assert.match(page.address, /^\/ui\/login\/consent/, redirect_uri);
    }
    for (const redirect_uri of [
      undefined,
      "https://evil.example/callback",
      "http://evil.example/callback",
      "http://localhost:49152/callback",
      "http://127.0.0.1:49152/",
      "http://127.0.0.1:49152/callback/",
      "http://127.0.0.1:49152/callback?next=https://evil.example/",
      "http://127.0.0.1:49152/callback#",
      "http://127.0.0.1.evil.example:49152/callback",
      "http://127.0.0.1:49152@evil.example/callback",
      "http://127.0.0.2:49152/callback",
      "http://2130706433:49152/callback",
      "http://[::ffff:127.0.0.1]:49152/callback",
      "https://127.0.0.1:49152/callback",
      "doorward:/callback",
      `${server.origin}/ui/console/return`,
    ]) {
      const { page } = await askAs(browser, clientId, { redirect_uri });
      assert.equal(page.status, 400, `${redirect_uri} led to ${page.address}`);
    }
  });

  test("the command line gets codes alone, with PKCE, and no other grant than its own", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { clientId, browser } = await signInToCommandLine(server);
    for (const asked of [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge_method: "plain" },
      { response_type: "token" },
      { response_type: "id_token token", nonce: "n" },
    ]) {
      const { page } = await askAs(browser, clientId, asked);
      assert.doesNotMatch(page.address, /[?#&](?:code|access_token|id_token)=/, JSON.stringify(asked));
      assert.doesNotMatch(page.address, /^\/ui\/login/, JSON.stringify(asked));
    }
    for (const codeVerifier of [undefined, "x".repeat(43)]) {
      const asked = await askAs(browser, clientId);
      const left = await browser.submit(asked.page, { decision: "allow" });
      const code = answerIn(left).get("code") ?? "";
      assert.notEqual(code, "");
      assert.equal((await redeemCode(server, clientId, { code, codeVerifier })).status, 400);
    }
    for (const grant of [
      { grant_type: "client_credentials", scope: "openid" },
      {
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        subject_token: server.ownerToken,
        subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
      },
    ]) {
      const { status, body } = await server.form("/oauth/v2/token", { client_id: clientId, ...grant });
      assert.ok(status >= 400 && body.access_token === undefined, JSON.stringify(body));
    }
  });

  test("no program gets a token silently: each sign-in is asked for, and consent to one is for that one", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { clientId, browser } = await signInToCommandLine(server);
    const silent = await askAs(browser, clientId, { prompt: "none" });
    assert.equal(answerIn(silent.page).get("error"), "consent_required");
    const { page } = await askAs(browser, clientId);
    assert.match(page.address, /^\/ui\/login\/consent/);
    const denied = await browser.submit(page, { decision: "deny" });
    assert.equal(answerIn(denied).get("error"), "access_denied");
  });

  test("a user who is deactivated has no command line, neither at once nor by a refresh", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { clientId, tokens } = await signInToCommandLine(server);
    const { userId } = server.user;
    assert.equal((await server.rest("POST", `/v2/users/${userId}/deactivate`, { body: {} })).status, 200);
    assert.equal(await callWith(server, tokens.access_token), 401);
    assert.equal((await refresh(server, clientId, tokens.refresh_token)).status, 400);
  });

  test("the command line of one instance is none in another", async (t) => {
    const { config, tokenFor } = systemUser(t);
    const server = await startOidcServer(t, { engine, config });
    await createSecondInstance(server, tokenFor(server));
    const { clientId, tokens } = await signInToCommandLine(server);
    const other = await server.byHost(secondHost, "GET", "/.well-known/doorward", { token: null });
    assert.equal(other.status, 200, JSON.stringify(other.body));
    assert.notEqual(other.body.command_line.client_id, clientId);
    assert.notEqual(other.body.issuer, server.origin);
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: loopback,
      response_type: "code",
      scope: "openid",
      code_challenge: "a".repeat(43),
      code_challenge_method: "S256",
    });
    const authorize = `/oauth/v2/authorize?${query}`;
    const noCookies = { token: null, headers: { cookie: "doorward-browser=x" } };
    assert.equal((await server.byHost(secondHost, "GET", authorize, noCookies)).status, 400);
    const { access_token: token } = tokens;
    assert.equal((await server.byHost(secondHost, "POST", "/v2/users", { token, body: {} })).status, 401);
  });

  test("no method changes or deletes the application of the command line, or gives it a secret", async (t) => {
    const server = await startOidcServer(t, { engine });
    const clientId = await commandLineId(server);
    const { body } = await server.connect(`${applications}/ListApplications`, {});
    const { applicationId, projectId } = body.applications.find(
      (one: { oidcConfiguration?: { clientId: string } }) => one.oidcConfiguration?.clientId === clientId,
    );
    const ids = { projectId, applicationId };
    for (const [method, request] of [
      ["UpdateApplication", { ...ids, name: "Renamed" }],
      ["UpdateApplication", { ...ids, oidcConfiguration: { redirectUris: ["https://evil.example/callback"] } }],
      ["UpdateApplication", { ...ids, oidcConfiguration: { consentRequired: false } }],
      ["DeactivateApplication", ids],
      ["GenerateClientSecret", ids],
      ["CreateApplicationKey", { ...ids, expirationDate: "2100-01-01T00:00:00Z" }],
      ["DeleteApplication", ids],
    ] as const) {
      const answer = await server.connect(`${applications}/${method}`, request);
      assert.equal(answer.status, 400, `${method}: ${JSON.stringify(answer.body)}`);
      assert.match(JSON.stringify(answer.body), /application\.built_in/, method);
    }
    await signInToCommandLine(server);
  });

  test("where the operator turns the command line off, its tokens end and nothing is offered", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { clientId, tokens } = await signInToCommandLine(server);
    const { location, ownerToken, origin } = server;
    await server.app.close();
    const start = (commandLine: "all" | "browser" | "off") =>
      startServer(t, { location, ownerToken, config: { baseUrl: origin, commandLine } });
    const off = await start("off");
    assert.equal((await off.rest("GET", "/.well-known/doorward", { token: null })).status, 404);
    assert.equal(await callWith(off, tokens.access_token), 401);
    const form = async (path: string, fields: Readonly<Record<string, string>>) => {
      const answer = await fetch(`${off.origin}${path}`, { method: "POST", body: new URLSearchParams(fields) });
      return answer.status;
    };
    const renewal = { grant_type: "refresh_token", client_id: clientId, refresh_token: tokens.refresh_token };
    assert.ok((await form("/oauth/v2/token", renewal)) >= 400);
    assert.ok((await form("/oauth/v2/device_authorization", { client_id: clientId, scope: "openid" })) >= 400);
    const { page } = await askAs(new TestBrowser(off), clientId);
    assert.equal(page.status, 400);
    await off.app.close();
    const on = await start("all");
    assert.equal(await callWith(on, tokens.access_token), 200);
  });

  test("with DOORWARD_COMMAND_LINE=browser no code for another device is given, and none from before is redeemed", async (t) => {
    const server = await startOidcServer(t, { engine });
    const clientId = await commandLineId(server);
    const started = await server.form("/oauth/v2/device_authorization", { client_id: clientId, scope: "openid" });
    assert.equal(started.status, 200, JSON.stringify(started.body));
    const browser = new TestBrowser(server);
    const entered = await browser.submit(await browser.open("/device"), { user_code: started.body.user_code });
    const question = await walkToQuestion(server, entered, browser);
    assert.match(question.html, /the sender may be trying to get into your account/);
    await browser.submit(question, { decision: "allow" });
    const { location, ownerToken, origin } = server;
    await server.app.close();
    const config = { baseUrl: origin, commandLine: "browser" } as const;
    const strict = await startServer(t, { location, ownerToken, config });
    const document = await strict.rest("GET", "/.well-known/doorward", { token: null });
    assert.deepEqual(document.body.command_line, { client_id: clientId, device_authorization: false });
    const send = async (path: string, fields: Readonly<Record<string, string>>) => {
      const answer = await fetch(`${strict.origin}${path}`, { method: "POST", body: new URLSearchParams(fields) });
      return [answer.status, ((await answer.json()) as { error?: string }).error];
    };
    const { device_code = "" } = started.body;
    const redeem = { grant_type: deviceGrant, client_id: clientId, device_code };
    assert.deepEqual(await send("/oauth/v2/token", redeem), [400, "unauthorized_client"]);
    const again = { client_id: clientId, scope: "openid" };
    assert.deepEqual(await send("/oauth/v2/device_authorization", again), [400, "unauthorized_client"]);
    const asked = await askAs(new TestBrowser(strict), clientId);
    assert.match(asked.page.address, /^\/ui\/login/, "the browser of the machine may still sign in");
  });
});

eachTopology((start) => {
  test("commands that ask at once how to sign in make one application", async (t) => {
    const cluster = await start(t, {});
    const clientIds = new Set(await race(12, cluster, (node) => commandLineId(node)));
    assert.equal(clientIds.size, 1);
  });
});
