import assert from "node:assert/strict";
import { test } from "node:test";
import { hours } from "../../../src/base/clock.ts";
import { eachEngine } from "../../support/databases/databases.ts";
import { addPerson, appoint } from "../../support/people/people.ts";
import { extend, proofOf, typeOf } from "../token-exchange/support.ts";
import { permit, start, startSite, toClient } from "./document-site.ts";

const adminScope = "openid profile email offline_access urn:service:iam:api:admin:write";

eachEngine((_open, engine) => {
  test("a client's tokens end when the instance accepts its metadata document no longer (A1)", async (t) => {
    const server = await start(t, engine);
    const { organizationId } = server;
    const site = await startSite(t);
    const listed = { allowedUrls: [site.url] };
    await permit(server, listed);
    const client = toClient(site);
    const owner = await addPerson(server, { username: "owner" });
    await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
    const { code, codeVerifier } = await server.signIn({ client, user: owner, scope: adminScope });
    const redeem = (form: Readonly<Record<string, string>>) =>
      server.form("/oauth/v2/token", { client_id: site.url, ...form });
    const redirect = { redirect_uri: client.redirectUri, code_verifier: codeVerifier };
    const first = await redeem({ grant_type: "authorization_code", code, ...redirect });
    assert.equal(first.status, 200, JSON.stringify(first.body));
    const { access_token: token } = first.body;
    let { refresh_token: refreshToken } = first.body;
    let count = 0;
    const uses = async () => {
      const create = "service.project.v2.ProjectService/CreateProject";
      const refreshed = await redeem({ grant_type: "refresh_token", refresh_token: refreshToken });
      if (refreshed.status === 200) refreshToken = refreshed.body.refresh_token;
      const name = `Project ${count++}`;
      return {
        refresh: refreshed.status,
        userinfo: (await server.rest("GET", "/oidc/v1/userinfo", { token })).status,
        api: (await server.connect(create, { organizationId, name }, { token })).status,
      };
    };
    const all = { refresh: 200, userinfo: 200, api: 200 };
    assert.deepEqual(await uses(), all);
    for (const [what, change] of Object.entries({
      "switched off": { enabled: false, ...listed },
      "another address": { allowedUrls: [`${site.url}/other`] },
      "no address": { allowedUrls: [] },
    })) {
      await permit(server, change);
      const none = { refresh: 401, userinfo: 401, api: 401 };
      assert.deepEqual(await uses(), none, what);
      await permit(server, listed);
      assert.deepEqual(await uses(), all, `accepted again after: ${what}`);
    }
    await permit(server, { enabled: false });
    server.clock.now += hours(11);
    assert.deepEqual(await uses(), { refresh: 401, userinfo: 401, api: 401 }, "eleven hours later");
  });

  test("what was exchanged from such a token ends with it, also for a client of the instance (A1)", async (t) => {
    const server = await extend(await start(t, engine));
    const site = await startSite(t);
    const listed = { allowedUrls: [site.url] };
    await permit(server, listed);
    const client = toClient(site);
    const scope = `openid offline_access urn:service:iam:org:project:id:${server.projectId}:aud`;
    const { code, codeVerifier } = await server.signIn({ client, scope });
    const redirect = { redirect_uri: client.redirectUri, code_verifier: codeVerifier };
    const grant = { grant_type: "authorization_code", client_id: site.url, code, ...redirect };
    const { body: source } = await server.form("/oauth/v2/token", grant);
    const { status, body } = await server.exchange({
      subject_token: source.access_token,
      subject_token_type: typeOf.access_token,
      scope: "openid offline_access",
    });
    assert.equal(status, 200, JSON.stringify(body));
    let { access_token: token, refresh_token: refreshToken } = body;
    const uses = async () => {
      const introspection = await server.form("/oauth/v2/introspect", { token }, server.client.basic);
      const userinfo = await server.rest("GET", "/oidc/v1/userinfo", { token });
      const form = { grant_type: "refresh_token", refresh_token: refreshToken, ...proofOf(server, server.keyClient) };
      const refreshed = await server.form("/oauth/v2/token", form);
      if (refreshed.status === 200) ({ access_token: token, refresh_token: refreshToken } = refreshed.body);
      return [introspection.body.active, userinfo.status, refreshed.status];
    };
    assert.deepEqual(await uses(), [true, 200, 200]);
    for (const change of [{ enabled: false, ...listed }, { allowedUrls: [] }]) {
      await permit(server, change);
      assert.deepEqual(await uses(), [false, 401, 400], JSON.stringify(change));
      await permit(server, listed);
      assert.deepEqual(await uses(), [true, 200, 200], "accepted again");
    }
  });
});
