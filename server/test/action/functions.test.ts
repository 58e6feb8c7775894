import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJwt } from "jose";
import { eachEngine } from "../support/databases/databases.ts";
import { fetch } from "../support/http/fetch.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { actionsOf, answerJson, verified } from "./support/actions.ts";

const logOf = (name: string, word = "service"): string => `urn:${word}:iam:action:${name}:log`;

eachEngine((_open, engine) => {
  test("functions extend tokens and answers about users", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { user, client } = server;
    const actions = actionsOf(server);
    const receiver = await startReceiver(t);
    const target = await actions.createTarget(receiver.origin);
    const jwtClient = await server.createClient({ accessTokenType: "OIDC_TOKEN_TYPE_JWT" });
    const set = (name: string, targets = [target]) => actions.set({ function: { name } }, targets);
    const userinfo = async (token: string | undefined) => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${server.origin}/oidc/v1/userinfo`, { headers });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };

    await t.test(
      "preuserinfo: id token, userinfo and introspection get the claims, and the target is told about the user",
      async () => {
        await set("preuserinfo");
        answerJson(receiver, () => ({
          append_claims: [
            { key: "shoe_size", value: 42 },
            { key: "pets", value: ["cat", { name: "Rex" }] },
          ],
          append_log_claims: ["looked up"],
        }));
        const tokens = await server.tokens({ scope: "openid email" });
        for (const claims of [
          decodeJwt(tokens["id_token"] ?? ""),
          (await userinfo(tokens["access_token"])).body,
          await server.introspect(tokens["access_token"] ?? ""),
        ]) {
          assert.equal(claims["shoe_size"], 42);
          assert.deepEqual(claims["pets"], ["cat", { name: "Rex" }]);
          assert.deepEqual(claims[logOf("preuserinfo")], ["looked up"]);
          assert.equal(claims["sub"], user.userId);
        }
        const payload = verified(receiver.received.at(-1) as never, target.signingKey);
        assert.equal(payload.function, "function/preuserinfo");
        assert.equal(payload.user.id, user.userId);
        assert.equal(payload.user.human.email, "ada@example.com");
        assert.equal(payload.userinfo.email, "ada@example.com");
        assert.equal(payload.org.id, server.organizationId);
        assert.equal(payload.application.client_id, client.clientId);
        assert.ok(!receiver.received.some(({ body }) => body.includes(user.password)));
        await set("preuserinfo", []);
      },
    );

    await t.test("preaccesstoken: JWT access tokens get the claims, opaque ones and id tokens do not", async () => {
      await set("preaccesstoken");
      answerJson(receiver, () => ({ append_claims: [{ key: "permissions", value: ["read"] }] }));
      const before = receiver.received.length;
      const opaque = await server.tokens();
      assert.equal(receiver.received.length, before);
      assert.equal(decodeJwt(opaque["id_token"] ?? "")["permissions"], undefined);
      const jwt = await server.tokens({ client: jwtClient });
      const claims = decodeJwt(jwt["access_token"] ?? "");
      assert.deepEqual(claims["permissions"], ["read"]);
      assert.equal(decodeJwt(jwt["id_token"] ?? "")["permissions"], undefined);
      assert.equal(claims.sub, user.userId);
      assert.equal((await server.introspect(jwt["access_token"] ?? "", jwtClient))["active"], true);
      await set("preaccesstoken", []);
    });

    await t.test("reserved claims and claims that there are stay as they are, and the log says so", async () => {
      await set("preuserinfo");
      await set("preaccesstoken");
      const reserved =
        "iss sub aud exp nbf iat jti azp client_id scope auth_time nonce amr acr sid act cnf at_hash active".split(" ");
      const namespaced = ["urn:service:iam:org:project:roles", "urn:zitadel:iam:user:metadata", "urn:service:iam"];
      const keys = [...reserved, ...namespaced, "email"];
      answerJson(receiver, () => ({ append_claims: keys.map((key) => ({ key, value: "evil" })) }));
      const tokens = await server.tokens({ client: jwtClient, scope: "openid email" });
      const idToken = decodeJwt(tokens["id_token"] ?? "");
      const accessToken = decodeJwt(tokens["access_token"] ?? "");
      const { body } = await userinfo(tokens["access_token"]);
      const introspected = await server.introspect(tokens["access_token"] ?? "", jwtClient);
      for (const claims of [idToken, accessToken, body, introspected]) {
        for (const key of [...reserved, ...namespaced]) assert.notEqual(claims[key], "evil", key);
      }
      assert.equal(body["email"], "ada@example.com");
      const log = body[logOf("preuserinfo")] as string[];
      assert.equal(log.length, keys.length);
      assert.ok(log.includes("claim sub is reserved") && log.includes("claim email exists already"));
      await set("preuserinfo", []);
      await set("preaccesstoken", []);
    });

    await t.test("metadata of the user is set; a client that uses another word finds its log under it", async () => {
      await set("preuserinfo");
      const value = Buffer.from("gold").toString("base64");
      answerJson(receiver, () => ({ set_user_metadata: [{ key: "level", value }], append_log_claims: ["set"] }));
      const scope = "openid urn:zitadel:iam:user:metadata";
      const tokens = await server.tokens({ scope });
      assert.deepEqual(decodeJwt(tokens["id_token"] ?? "")[logOf("preuserinfo", "zitadel")], ["set"]);
      const { metadata } = await server
        .connect("service.user.v2.UserService/ListUserMetadata", { userId: user.userId })
        .then((answer) => answer.body);
      assert.deepEqual(
        metadata.map(({ key, value: found }: { key: string; value: string }) => [key, found]),
        [["level", value]],
      );
      assert.deepEqual((await userinfo(tokens["access_token"])).body["urn:zitadel:iam:user:metadata"] as object, {
        level: Buffer.from("gold").toString("base64url"),
      });
      await set("preuserinfo", []);
    });

    await t.test("answers of no use change nothing where the target does not interrupt", async () => {
      const lenient = await actions.createTarget(receiver.origin, { interruptOnError: false });
      await set("preuserinfo", [lenient]);
      const answers: readonly unknown[] = [
        { append_claims: "all" },
        { append_claims: [{ key: 1, value: 1 }] },
        { append_claims: [{ key: "", value: 1 }] },
        { append_claims: [{ key: "big", value: "x".repeat(10_000) }] },
        { append_claims: new Array(101).fill({ key: "a", value: 1 }) },
        { append_log_claims: [1] },
        { set_user_metadata: [{ key: "k", value: "not base64!" }] },
        { set_user_metadata: [{ key: "", value: "" }] },
      ];
      for (const answer of answers) {
        answerJson(receiver, () => answer);
        const claims = decodeJwt((await server.tokens())["id_token"] ?? "");
        assert.deepEqual([claims["big"], claims["a"]], [undefined, undefined]);
      }
      await set("preuserinfo", []);
    });

    await t.test("a target that interrupts refuses tokens and answers, in the words of OAuth", async () => {
      const tokens = await server.tokens();
      await set("preuserinfo");
      const cases: readonly [answer: () => void, status: number, error: string][] = [
        [
          () => answerJson(receiver, () => ({ forwardedStatusCode: 403, forwardedErrorMessage: "not today" })),
          400,
          "access_denied",
        ],
        [() => answerJson(receiver, () => ({}), 500), 503, "temporarily_unavailable"],
      ];
      for (const [answer, status, error] of cases) {
        answer();
        const { code, codeVerifier } = await server.signIn();
        const { redirectUri } = client;
        const parameters = {
          grant_type: "authorization_code",
          code,
          redirect_uri: redirectUri,
          code_verifier: codeVerifier,
        };
        const refused = await server.form("/oauth/v2/token", parameters, client.basic);
        assert.deepEqual([refused.status, refused.body.error], [status, error]);
        const info = await userinfo(tokens["access_token"]);
        assert.deepEqual([info.status, info.body["error"]], [status, error]);
        const introspected = await server.form(
          "/oauth/v2/introspect",
          { token: tokens["access_token"] ?? "" },
          client.basic,
        );
        assert.deepEqual([introspected.status, introspected.body.error], [status, error]);
      }
      await set("preuserinfo", []);
      assert.equal((await userinfo(tokens["access_token"])).status, 200);
    });
  });
});
