import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJwt } from "jose";
import { eachEngine } from "../support/databases/databases.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { preAccessToken, preUserinfo, scriptsOf } from "./support/scripts.ts";

eachEngine((_open, engine) => {
  test("what scripts of an organization say of its users counts there alone (A13)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const scripts = scriptsOf(server);
    const organizationId = await addOrganization(server, "Tenant");
    const owner = await addPerson(server, { username: "owner", organizationId });
    await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
    const { token } = await sessionOf(server, owner);
    const ofTenant = { organizationId, token };
    const jwt = { accessTokenType: "OIDC_TOKEN_TYPE_JWT" };
    const { projectId } = (
      await server.connect(
        "service.project.v2.ProjectService/CreateProject",
        { organizationId, name: "Own" },
        { token },
      )
    ).body;
    const own = await server.createClient(jwt, projectId);
    const foreign = await server.createClient(jwt);
    const script = `function say(ctx, api) { api.v1.claims.setClaim("email_verified", true); api.v1.claims.setClaim("r", 1); }`;
    const ids = [await scripts.create("say", script, ofTenant)];
    for (const point of [preUserinfo, preAccessToken]) await scripts.set(point, ids, ofTenant);

    const told = async (client: typeof own, scope = "openid") => {
      const tokens = await server.tokens({ client, user: owner, scope });
      const accessToken = tokens["access_token"] ?? "";
      const { body } = await server.rest("GET", "/oidc/v1/userinfo", { token: accessToken });
      const introspected = await server.introspect(accessToken, client);
      return [decodeJwt(tokens["id_token"] ?? ""), decodeJwt(accessToken), body, introspected].map(({ r }) => r);
    };
    assert.deepEqual(await told(own), [1, 1, 1, 1]);
    assert.deepEqual(await told(foreign), [undefined, undefined, undefined, undefined]);
    // A project of another organization in the audience reads the access token, and what it opens.
    const audience = `openid urn:service:iam:org:project:id:${server.projectId}:aud`;
    assert.deepEqual(await told(own, audience), [1, undefined, undefined, 1]);

    // Scripts of another organization say nothing of the user.
    await scripts.set(preUserinfo, [], ofTenant);
    await scripts.run(preUserinfo, "other", `function other(ctx, api) { api.v1.claims.setClaim("r", 2); }`);
    assert.deepEqual(await told(own), [undefined, 1, undefined, undefined]);
    await scripts.set(preUserinfo, ids, ofTenant);

    // One who leaves the text as it is does not speak for it.
    await scripts.call("PUT", `/actions/${ids[0]}`, { name: "say", script, timeout: "6s" }, { organizationId });
    assert.deepEqual(await told(foreign), [undefined, undefined, undefined, undefined]);

    // The word of an administrator of the instance counts everywhere, until the organization changes it.
    const body = { name: "say", script: `${script} // by the instance`, timeout: "5s" };
    await scripts.call("PUT", `/actions/${ids[0]}`, body, { organizationId });
    assert.deepEqual(await told(foreign), [1, 1, 1, 1]);
    await scripts.call("PUT", `/actions/${ids[0]}`, { ...body, timeout: "6s" }, { organizationId });
    assert.equal((await told(foreign))[0], 1);
    await scripts.call("PUT", `/actions/${ids[0]}`, { ...body, timeout: "7s" }, ofTenant);
    assert.deepEqual(await told(foreign), [undefined, undefined, undefined, undefined]);
  });

  test("a script of an organization sees the roles that it assigned, one of the instance all", async (t) => {
    const server = await startOidcServer(t, { engine });
    const scripts = scriptsOf(server);
    const organizationId = await addOrganization(server, "Tenant");
    const owner = await addPerson(server, { username: "owner", organizationId });
    await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
    const { token } = await sessionOf(server, owner);
    const ofTenant = { organizationId, token };
    const { projectId } = server;
    await scripts.call("POST", `/projects/${projectId}/roles`, { roleKey: "reader", displayName: "Reader" });
    await scripts.call("POST", `/users/${owner.userId}/grants`, { projectId, roleKeys: ["reader"] });
    const own = await server.connect(
      "service.project.v2.ProjectService/CreateProject",
      { organizationId, name: "Own" },
      { token },
    );
    const client = await server.createClient({}, own.body.projectId);
    const script = `function see(ctx, api) { api.v1.claims.setClaim("seen", ctx.v1.user.grants.grants.map((g) => g.roles)); }`;
    const id = await scripts.run(preUserinfo, "see", script, ofTenant);
    const seen = async () =>
      decodeJwt((await server.tokens({ client, user: owner, scope: "openid" }))["id_token"] ?? "")["seen"];
    assert.deepEqual(await seen(), []);
    const body = { name: "see", script: `${script} //`, timeout: "5s" };
    await scripts.call("PUT", `/actions/${id}`, body, { organizationId });
    assert.deepEqual(await seen(), [["reader"]]);
  });
});
