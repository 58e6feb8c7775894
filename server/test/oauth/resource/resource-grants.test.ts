import assert from "node:assert/strict";
import { decodeJwt } from "jose";
import { isBack, signedIn, visit } from "../../login/support/sign-in.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { basicOf, startOidcServer } from "../../support/oidc/oidc.ts";
import { addApi, addResource, changeResource } from "../../support/oidc/resources.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import {
  allow,
  errorOf,
  isActive,
  isAsked,
  jwt,
  makeBank,
  ok,
  projects,
  redeem,
  scopes,
  tools,
} from "../support/registered-resources.ts";

enginesInTurn((engine, test) => {
  test("a resource of another organization needs consent or a project grant (A7)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const bank = await makeBank(server);
    const browser = await signedIn(server, server.user);
    const client = await addClient(server);
    const open = (parameters: Record<string, string>) =>
      visit(
        server,
        client,
        { resource: bank.uri, scope: "openid offline_access accounts:read", ...parameters },
        browser,
      );
    assert.equal(errorOf((await open({ prompt: "none" })).page), "consent_required");
    const asked = await open({ ui_locales: "de" });
    assert.ok(isAsked(asked.page), asked.page.address);
    for (const words of ["Accounts", bank.uri, "Bank Ltd", "Deine Konten sehen"]) {
      assert.ok(asked.page.html.includes(words), words);
    }
    assert.ok(!asked.page.html.includes("Pay from"), "only what is asked for");
    const first = await redeem(client, await allow(browser, asked.page), asked.codeVerifier);
    assert.equal(await isActive(server, first.access_token, bank.api), true);
    const again = await open({ prompt: "none" });
    assert.ok(isBack(again.page), "not asked again: " + again.page.address);
    const more = await open({ scope: "openid accounts:pay" });
    assert.ok(isAsked(more.page), "another scope is another question");
    assert.ok(more.page.html.includes("Pay from your accounts"));
    assert.equal(errorOf((await open({ scope: "accounts:pay", prompt: "none" })).page), "consent_required");

    // The owner gives a scope of the same name at another resource: what is permitted at one is not permitted there.
    const second = "https://vault.bank.example";
    await addResource(server, bank.projectId, second, { scopes: [{ name: "accounts:read" }] });
    assert.equal(errorOf((await open({ resource: second, prompt: "none" })).page), "consent_required");

    const refresh = (refreshToken: string, more_ = {}) =>
      server.form("/oauth/v2/token", {
        grant_type: "refresh_token",
        refresh_token: refreshToken,
        client_id: client.clientId,
        ...more_,
      });
    const renewed = await refresh(first.refresh_token, { resource: bank.uri });
    assert.equal(renewed.body.scope, "openid offline_access accounts:read");
    const wider = await refresh(renewed.body.refresh_token, { resource: second });
    assert.equal(wider.body.error, "invalid_target");

    // A grant of the project spares the question.
    const grant = { projectId: bank.projectId, grantedOrganizationId: server.organizationId };
    await ok(server.connect(`${projects}/CreateProjectGrant`, grant));
    assert.ok(isBack((await open({ resource: second, prompt: "none" })).page));
    await ok(server.connect(`${projects}/DeactivateProjectGrant`, grant));
    assert.equal(errorOf((await open({ resource: second, prompt: "none" })).page), "consent_required");
  });

  test("a client that users let in gets of a resource what they agreed to, even after the owner adds scopes", async (t) => {
    const server = await startOidcServer(t, { engine });
    const browser = await signedIn(server, server.user);
    const client = await addClient(server, { isConsentRequired: true });
    const api = await addApi(server, server.projectId);
    const id = await addResource(server, server.projectId, tools, { scopes: scopes.slice(0, 1), ...jwt });
    const files = "https://files.example";
    await addResource(server, server.projectId, files, { scopes: [{ name: "tools:write" }] });
    const { path, codeVerifier } = client.start({ resource: tools, scope: "offline_access tools:read tools:write" });
    const asked = await browser.open(`${path}&resource=${encodeURIComponent(files)}`);
    assert.ok(isAsked(asked), asked.address);
    const tokens = await redeem(client, await allow(browser, asked), codeVerifier);
    assert.deepEqual(
      decodeJwt(tokens.access_token).aud,
      [client.clientId, tools, files],
      "the form that a resource wants",
    );
    assert.equal(await isActive(server, tokens.access_token, api), true);
    assert.equal(tokens.scope, "offline_access tools:read tools:write");
    await changeResource(server, "UpdateResource", { id, scopes: { scopes } });
    const refresh = async (refreshToken: string, more = {}) =>
      (
        await server.form("/oauth/v2/token", {
          grant_type: "refresh_token",
          refresh_token: refreshToken,
          client_id: client.clientId,
          ...more,
        })
      ).body;
    const atTools = await refresh(tokens.refresh_token, { resource: tools });
    assert.equal(atTools.scope, "offline_access tools:read", "tools:write was permitted at the other resource");
    const both = await refresh(atTools.refresh_token);
    assert.equal(both.scope, "offline_access tools:read", "one token for both has no more than each permits");
    assert.equal((await refresh(both.refresh_token, { resource: files })).scope, "offline_access tools:write");
  });

  test("service accounts get tokens for resources of their organization, or granted to it", async (t) => {
    const server = await startOidcServer(t, { engine });
    const bank = await makeBank(server);
    const api = await addApi(server, server.projectId);
    await addResource(server, server.projectId, tools, { scopes, ...jwt, accessTokenLifetime: "60s" });
    const machine = { organizationId: server.organizationId, username: "robot", machine: { name: "Robot" } };
    const { id } = (await server.rest("POST", "/v2/users/new", { body: machine })).body;
    const { clientSecret } = (await server.rest("POST", `/v2/users/${id}/secret`, { body: {} })).body;
    const ask = (resource: string, scope?: string) =>
      server.form(
        "/oauth/v2/token",
        { grant_type: "client_credentials", resource, ...(scope !== undefined && { scope }) },
        basicOf("robot", clientSecret),
      );
    const { body } = await ask(tools, "tools:read accounts:pay");
    assert.deepEqual([body.scope, body.expires_in, decodeJwt(body.access_token).aud], ["tools:read", 60, [tools]]);
    assert.equal(await isActive(server, body.access_token, api), true);
    assert.equal(await isActive(server, body.access_token, bank.api), false);
    for (const resource of [bank.uri, "https://unknown.example"]) {
      const refused = await ask(resource, "accounts:pay");
      assert.deepEqual([refused.status, refused.body.error], [400, "invalid_target"], resource);
    }
    await ok(
      server.connect(`${projects}/CreateProjectGrant`, {
        projectId: bank.projectId,
        grantedOrganizationId: server.organizationId,
      }),
    );
    const granted = await ask(bank.uri, "accounts:pay");
    assert.equal(await isActive(server, granted.body.access_token, bank.api), true);
    const bare = await ask(tools);
    assert.deepEqual([bare.status, bare.body.scope], [200, undefined], "a machine without a scope gets none");
  });

  test("a device asks for a resource as everyone does", async (t) => {
    const server = await startOidcServer(t, { engine });
    const grantTypes = ["OIDC_GRANT_TYPE_DEVICE_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"];
    const client = await server.createClient({ grantTypes, responseTypes: [] });
    const api = await addApi(server, server.projectId);
    await addResource(server, server.projectId, tools, { scopes, ...jwt });
    const begin = (parameters: Record<string, string>) =>
      server.form("/oauth/v2/device_authorization", parameters, client.basic);
    assert.equal((await begin({ resource: "https://unknown.example" })).body.error, "invalid_target");
    const begun = await begin({ resource: "HTTPS://TOOLS.example/mcp", scope: "tools:read" });
    const browser = await signedIn(server, server.user);
    const typed = await browser.open(`/ui/login/device?user_code=${begun.body.user_code}`);
    const page = typed.address.includes("/confirm")
      ? typed
      : await browser.submit(typed, { user_code: begun.body.user_code }, { action: "/ui/login/device" });
    for (const words of [tools, "Look at your tools"]) assert.ok(page.html.includes(words), page.html);
    await browser.submit(page, { decision: "allow" }, { action: "/ui/login/device/confirm" });
    const poll = (more = {}) =>
      server.form(
        "/oauth/v2/token",
        {
          grant_type: "urn:ietf:params:oauth:grant-type:device_code",
          device_code: begun.body.device_code,
          ...more,
        },
        client.basic,
      );
    server.clock.now += 6_000;
    assert.equal((await poll({ resource: "https://other.example" })).body.error, "invalid_target");
    server.clock.now += 6_000;
    const { body } = await poll();
    assert.equal(body.scope, "tools:read", JSON.stringify(body));
    assert.deepEqual(decodeJwt(body.access_token).aud, [client.clientId, tools]);
    assert.equal(await isActive(server, body.access_token, api), true);
  });

  test("an exchange passes on a resource of its token, where the client may have it", async (t) => {
    const server = await startOidcServer(t, { engine });
    const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";
    const grantTypes = [
      "OIDC_GRANT_TYPE_AUTHORIZATION_CODE",
      "OIDC_GRANT_TYPE_REFRESH_TOKEN",
      "OIDC_GRANT_TYPE_TOKEN_EXCHANGE",
    ];
    const client = await server.createClient({ grantTypes });
    const bank = await makeBank(server);
    const api = await addApi(server, server.projectId);
    const files = "https://files.example";
    await addResource(server, server.projectId, tools, { scopes, ...jwt, accessTokenLifetime: "60s" });
    const filesId = await addResource(server, server.projectId, files, { scopes: [{ name: "files:read" }] });
    const query = new URLSearchParams({
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      response_type: "code",
      scope: "offline_access tools:read files:read accounts:read",
      resource: tools,
    });
    for (const uri of [files, bank.uri]) query.append("resource", uri);
    // The login says that the user was asked.
    const { callback } = await server.answer(new URL(`${server.origin}/oauth/v2/authorize?${query}`));
    const redeemed = await server.form(
      "/oauth/v2/token",
      {
        grant_type: "authorization_code",
        code: callback.searchParams.get("code") ?? "",
        redirect_uri: client.redirectUri,
      },
      client.basic,
    );
    const token = redeemed.body.access_token;
    const exchange = (parameters: Record<string, string>, by = client) =>
      server.form(
        "/oauth/v2/token",
        {
          grant_type: exchangeGrant,
          subject_token: token,
          subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
          ...parameters,
        },
        by.basic,
      );
    const one = await exchange({ resource: "HTTPS://tools.example/mcp", scope: "tools:read" });
    assert.deepEqual(
      [one.body.scope, one.body.expires_in, decodeJwt(one.body.access_token ?? "").aud],
      ["tools:read", 60, [tools]],
    );
    assert.equal(await isActive(server, one.body.access_token, api), true);
    assert.equal(
      (await exchange({ resource: "https://more.example", scope: "tools:read" })).body.error,
      "invalid_target",
    );
    assert.equal((await exchange({ resource: files, scope: "tools:read" })).body.error, "invalid_scope");
    assert.equal((await exchange({ resource: tools, scope: "tools:write" })).body.error, "invalid_scope");
    const foreign = await exchange({ resource: bank.uri, scope: "accounts:read" });
    assert.equal(await isActive(server, foreign.body.access_token, bank.api), true, "the user agreed to this client");
    // The owner of a resource chose that its tokens are asked about.
    const asJwt = { requested_token_type: "urn:ietf:params:oauth:token-type:jwt", scope: "files:read" };
    assert.equal((await exchange({ ...asJwt, resource: files })).body.error, "invalid_target");
    const { body: jwtAtTools } = await exchange({ ...asJwt, resource: tools, scope: "tools:read" });
    assert.deepEqual(decodeJwt(jwtAtTools.access_token).aud, [tools]);
    const kept = await exchange({ scope: "offline_access tools:read files:read" });
    await changeResource(server, "UpdateResource", { id: filesId, state: "RESOURCE_STATE_INACTIVE" });
    const renewed = await server.form(
      "/oauth/v2/token",
      { grant_type: "refresh_token", refresh_token: kept.body.refresh_token ?? "" },
      client.basic,
    );
    assert.equal(renewed.body.scope, "offline_access tools:read", JSON.stringify(renewed.body));
    assert.ok(!decodeJwt(renewed.body.access_token).aud?.includes(files));
    // Deleted and registered again it is another resource, which the old token was never for.
    server.clock.now += 1_000;
    await changeResource(server, "DeleteResource", { id: filesId });
    await addResource(server, server.projectId, files, { scopes: [{ name: "files:read" }] });
    assert.equal((await exchange({ resource: files, scope: "tools:read" })).body.error, "invalid_target");
    assert.equal((await exchange({ scope: "files:read" })).body.error, "invalid_scope");
    assert.equal((await exchange({ resource: tools, scope: "tools:read" })).status, 200);
  });
});
