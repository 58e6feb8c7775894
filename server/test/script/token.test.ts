import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJwt } from "jose";
import { eachEngine } from "../support/databases/databases.ts";
import { fetch } from "../support/http/fetch.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { preAccessToken, preUserinfo, scriptsOf } from "./support/scripts.ts";

const logOf = (name: string, word = "service"): string => `urn:${word}:iam:action:${name}:log`;

eachEngine((_open, engine) => {
  test("scripts complement tokens and answers about users", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { user, organizationId } = server;
    const scripts = scriptsOf(server);
    const jwtClient = await server.createClient({ accessTokenType: "OIDC_TOKEN_TYPE_JWT" });
    const userinfo = async (token: string | undefined): Promise<Record<string, unknown>> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${server.origin}/oidc/v1/userinfo`, { headers })).json() as Promise<Record<string, unknown>>;
    };
    const idTokenOf = async (scope = "openid email") =>
      decodeJwt((await server.tokens({ scope }))["id_token"] ?? "") as Record<string, unknown>;

    await t.test("id token, userinfo and introspection get the claims of pre userinfo", async () => {
      await scripts.run(
        preUserinfo,
        "shoes",
        `function shoes(ctx, api) {
          api.v1.claims.setClaim("shoe_size", 42);
          api.v1.userinfo.setClaim("pets", ["cat", { name: "Rex" }]);
          api.v1.claims.setClaim("me", [ctx.v1.getUser().id, ctx.v1.getUser().human.email, ctx.v1.claims.email ?? ""]);
          api.v1.claims.appendLogIntoClaims("looked up");
        }`,
      );
      const tokens = await server.tokens({ scope: "openid email" });
      for (const claims of [
        decodeJwt(tokens["id_token"] ?? ""),
        await userinfo(tokens["access_token"]),
        await server.introspect(tokens["access_token"] ?? ""),
      ] as Record<string, unknown>[]) {
        assert.equal(claims["shoe_size"], 42);
        assert.deepEqual(claims["pets"], ["cat", { name: "Rex" }]);
        assert.deepEqual((claims["me"] as string[]).slice(0, 2), [user.userId, "ada@example.com"]);
        assert.deepEqual(claims[logOf("shoes")], ["looked up"]);
        assert.deepEqual(claims[logOf("shoes", "zitadel")], ["looked up"]);
      }
      const jwt = await server.tokens({ client: jwtClient });
      assert.equal(decodeJwt(jwt["access_token"] ?? "")["shoe_size"], undefined);
      await scripts.set(preUserinfo, []);
      assert.equal((await idTokenOf())["shoe_size"], undefined);
    });

    await t.test("pre access token is for JWT access tokens alone", async () => {
      await scripts.run(
        preAccessToken,
        "rights",
        `const rights = (ctx, api) => api.v1.claims.setClaim("r", ["read"]);`,
      );
      const tokens = await server.tokens({ client: jwtClient });
      assert.deepEqual(decodeJwt(tokens["access_token"] ?? "")["r"], ["read"]);
      assert.equal(decodeJwt(tokens["id_token"] ?? "")["r"], undefined);
      await scripts.set(preAccessToken, []);
    });

    await t.test("claims of ours, reserved ones and existing ones stay, and the log says so", async () => {
      const reserved = "iss sub aud exp iat jti azp client_id scope auth_time nonce amr acr sid act cnf active".split(
        " ",
      );
      const keys = [...reserved, "urn:service:iam:org:project:roles", "urn:zitadel:iam:user:metadata", "email"];
      const script = `function evil(ctx, api) {
        for (const key of ${JSON.stringify(keys)}) api.v1.claims.setClaim(key, "evil");
      }`;
      const id = await scripts.create("evil", script);
      await scripts.set(preUserinfo, [id]);
      await scripts.set(preAccessToken, [id]);
      const tokens = await server.tokens({ client: jwtClient, scope: "openid email" });
      const answers = [
        decodeJwt(tokens["id_token"] ?? ""),
        decodeJwt(tokens["access_token"] ?? ""),
        await userinfo(tokens["access_token"]),
        await server.introspect(tokens["access_token"] ?? "", jwtClient),
      ] as Record<string, unknown>[];
      for (const claims of answers) for (const key of keys.slice(0, -1)) assert.notEqual(claims[key], "evil", key);
      assert.equal(answers[2]?.["email"], "ada@example.com");
      const log = answers[2]?.[logOf("evil")] as string[];
      assert.ok(log.includes("claim sub is reserved") && log.includes("claim email exists already"));
      await scripts.set(preUserinfo, []);
      await scripts.set(preAccessToken, []);
    });

    await t.test("scripts run in order, each sees the claims before it; too long claims do not fit", async () => {
      const first = await scripts.create("one", `function one(ctx, api) { api.v1.claims.setClaim("count", 1); }`);
      const second = await scripts.create(
        "two",
        `function two(ctx, api) {
          api.v1.claims.setClaim("seen", ctx.v1.claims.count);
          api.v1.claims.setClaim("count", 2);
          api.v1.claims.setClaim("long", "x".repeat(9000));
        }`,
      );
      await scripts.set(preUserinfo, [first, second]);
      const claims = await idTokenOf();
      assert.deepEqual([claims["count"], claims["seen"], claims["long"]], [1, 1, undefined]);
      assert.deepEqual(claims[logOf("two")], ["claim count exists already", "claim long does not fit"]);
      await scripts.set(preUserinfo, []);
    });

    await t.test("metadata of user and organization is read, and that of the user is set as JSON", async () => {
      const value = Buffer.from("silver").toString("base64");
      await scripts.call("POST", "/metadata/plan", { value }, { organizationId });
      await scripts.run(
        preUserinfo,
        "levels",
        `function levels(ctx, api) {
          const find = (list, key) => list.metadata.find((each) => each.key === key)?.value;
          api.v1.claims.setClaim("plan", find(ctx.v1.org.getMetadata(), "plan"));
          api.v1.claims.setClaim("level", find(ctx.v1.user.getMetadata(), "level") ?? "none");
          api.v1.user.setMetadata("level", { stars: 5 });
        }`,
      );
      assert.deepEqual((await idTokenOf())["level"], "none");
      const claims = await idTokenOf();
      assert.deepEqual([claims["plan"], claims["level"]], ["silver", { stars: 5 }]);
      await scripts.set(preUserinfo, []);
    });

    await t.test("roles that the organization assigned are there, with its metadata", async () => {
      const { projectId } = server;
      await scripts.call("POST", `/projects/${projectId}/roles`, { roleKey: "reader", displayName: "Reader" });
      await scripts.call("POST", `/users/${user.userId}/grants`, { projectId, roleKeys: ["reader"] });
      await scripts.run(
        preUserinfo,
        "groups",
        `function groups(ctx, api) {
          const groups = [];
          ctx.v1.user.grants.grants.forEach((grant) => {
            const plan = grant.getOrgMetadata().metadata.find((each) => each.key === "plan");
            grant.roles.forEach((role) => groups.push(role + ":" + plan.value));
          });
          api.v1.claims.setClaim("groups", groups);
        }`,
      );
      assert.deepEqual((await idTokenOf())["groups"], ["reader:silver"]);
      await scripts.set(preUserinfo, []);
    });

    await t.test("a failing script refuses the token, unless it is allowed to fail", async () => {
      const failing = ["throw new Error('no')", "for (;;);", "null.x", "return Promise.reject(1)"];
      for (const [index, body] of failing.entries()) {
        const timeout = "0.3s";
        const name = `fails${index}`;
        const script = `function ${name}(ctx, api) { api.v1.claims.setClaim("half", 1); ${body} }`;
        const id = await scripts.run(preUserinfo, name, script, { timeout });
        const { code, codeVerifier } = await server.signIn();
        const parameters = { grant_type: "authorization_code", code, code_verifier: codeVerifier };
        const refused = await server.form(
          "/oauth/v2/token",
          { ...parameters, redirect_uri: server.client.redirectUri },
          server.client.basic,
        );
        assert.deepEqual([refused.body.error, refused.status], ["temporarily_unavailable", 503], body);
        await scripts.call("PUT", `/actions/${id}`, { name, script, timeout, allowedToFail: true });
        assert.equal((await idTokenOf())["half"], undefined, body);
      }
      await scripts.set(preUserinfo, []);
    });

    await t.test("an inactive script does not run", async () => {
      const id = await scripts.run(
        preUserinfo,
        "idle",
        `function idle(ctx, api) { api.v1.claims.setClaim("idle", 1); }`,
      );
      assert.equal((await idTokenOf())["idle"], 1);
      await scripts.call("POST", `/actions/${id}/_deactivate`, {});
      assert.equal((await idTokenOf())["idle"], undefined);
    });
  });
});
