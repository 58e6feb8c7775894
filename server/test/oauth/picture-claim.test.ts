import assert from "node:assert/strict";
import { decodeJwt } from "jose";
import { upload } from "../branding/support/files.ts";
import { realPng } from "../support/data/pictures.ts";
import { enginesInTurn } from "../support/databases/turns.ts";
import { fetch } from "../support/http/fetch.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { sessionOf } from "../support/people/people.ts";

enginesInTurn((engine, test) => {
  test("the claim picture is the address of the picture, under the scope profile and by name (Core §5.1, §5.4, §5.5)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { user } = server;
    const client = await server.createClient({ idTokenUserinfoAssertion: true });
    const userinfo = async (token = "") => (await server.rest("GET", "/oidc/v1/userinfo", { token })).body;
    const profile = await server.tokens({ client, scope: "openid profile" });
    assert.ok(!("picture" in decodeJwt(profile["id_token"] ?? "")), "who has none has no claim");
    assert.ok(!("picture" in (await userinfo(profile["access_token"]))));

    const { token } = await sessionOf(server, { ...user, organizationId: server.organizationId });
    assert.equal((await upload(server, "users/me/avatar", realPng(9, 9), { token })).status, 200);
    const { picture } = await userinfo(profile["access_token"]);
    assert.ok(picture.startsWith(`${server.origin}/avatars/`), picture);
    assert.deepEqual(Buffer.from(await (await fetch(picture)).arrayBuffer()), realPng(9, 9));
    const next = await server.tokens({ client, scope: "openid profile" });
    assert.equal(decodeJwt(next["id_token"] ?? "")["picture"], picture);
    assert.equal((await server.introspect(next["access_token"] ?? "", client))["picture"], picture);

    const plain = await server.tokens({ client, scope: "openid email" });
    assert.equal((await userinfo(plain["access_token"])).picture, undefined);
    const claims = JSON.stringify({ id_token: { picture: null }, userinfo: { picture: null } });
    const named = await server.tokens({ scope: "openid", parameters: { claims } });
    assert.equal(decodeJwt(named["id_token"] ?? "")["picture"], picture);
    assert.deepEqual(await userinfo(named["access_token"]), { sub: user.userId, picture });
    const discovery = await server.rest("GET", "/.well-known/openid-configuration", { token: null });
    assert.ok(discovery.body.claims_supported.includes("picture"));

    assert.equal((await server.rest("DELETE", "/auth/v1/users/me/avatar", { token })).status, 200);
    assert.equal((await userinfo(next["access_token"])).picture, undefined);
  });
});
