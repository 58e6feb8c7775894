import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { revokeOwnClient } from "../../../src/domain/token/index.ts";
import { isBack, signedIn, visit } from "../../login/support/sign-in.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { basicOf, startOidcServer } from "../../support/oidc/oidc.ts";
import { registered, setRegistration } from "../../support/oidc/registration.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { startDeviceServer } from "../device/support.ts";
import { personCall } from "../token-exchange/person-call.ts";

enginesInTurn((engine, test) => {
  test("a code that waits for its redemption ends with the access that is taken away (A5)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const browser = await signedIn(server, server.user);
    const scope = "openid profile offline_access";
    const takeAway = async (clientId: string) =>
      revokeOwnClient(server.app.domain, await personCall(server, server.user.userId), { clientId });
    const codeOf = async (client: Awaited<ReturnType<typeof addClient>>) => {
      const { page, codeVerifier } = await visit(server, client, { scope }, browser);
      const asked = page.address.startsWith("/ui/login/consent?");
      const back = asked ? await browser.submit(page, { decision: "allow" }, { action: "/ui/login/consent" }) : page;
      assert.ok(isBack(back), back.html);
      return { asked, redeem: () => client.exchange(back.address, codeVerifier) };
    };
    const stranger = await addClient(server, { isConsentRequired: true });
    const first = await codeOf(stranger);
    assert.ok(first.asked);
    assert.equal((await first.redeem()).status, 200);
    const second = await codeOf(stranger);
    assert.equal(second.asked, false);
    await takeAway(stranger.clientId);
    const { status, body } = await second.redeem();
    assert.deepEqual([status, body.error], [400, "invalid_grant"]);
    const third = await codeOf(stranger);
    assert.ok(third.asked);
    assert.equal((await third.redeem()).status, 200);
    // An application that needs no consent is let in again as soon as the user comes back, and not before.
    const employers = await addClient(server);
    const other = await addClient(server);
    const fourth = await codeOf(employers);
    const elsewhere = await codeOf(other);
    await takeAway(employers.clientId);
    const late = await fourth.redeem();
    assert.deepEqual([late.status, late.body.error], [400, "invalid_grant"]);
    assert.equal((await elsewhere.redeem()).status, 200);
    assert.equal((await (await codeOf(employers)).redeem()).status, 200);
  });

  test("of a redemption and taking access away at the same moment, nothing usable is left (A5)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const browser = await signedIn(server, server.user);
    const clients = [await addClient(server, { isConsentRequired: true }), await addClient(server)] as const;
    const person = await personCall(server, server.user.userId);
    for (let round = 0; round < 24; round++) {
      const client = clients[round % 2 === 0 ? 0 : 1];
      const { page, codeVerifier } = await visit(server, client, { scope: "openid profile" }, browser);
      const back = isBack(page)
        ? page
        : await browser.submit(page, { decision: "allow" }, { action: "/ui/login/consent" });
      assert.ok(isBack(back), back.html);
      const away = () => revokeOwnClient(server.app.domain, person, { clientId: client.clientId });
      const [{ status, body }] = await Promise.all([client.exchange(back.address, codeVerifier), away()]);
      if (status !== 200) assert.equal(body.error, "invalid_grant");
      const token: string = body.access_token ?? "";
      const userinfo = token === "" ? undefined : await server.rest("GET", "/oidc/v1/userinfo", { token });
      assert.notEqual(userinfo?.status, 200, `round ${round}`);
    }
  });

  test("a code that waits for its redemption ends when its client changes itself (A18)", async (t) => {
    const server = await startOidcServer(t, { engine });
    await setRegistration(server, "open");
    const browser = await signedIn(server, server.user);
    for (const isChanged of [true, false]) {
      const metadata = { redirect_uris: ["https://shop.example/callback"], client_name: `Shop ${isChanged}` };
      const client = await registered(server, metadata, null);
      const codeVerifier = randomBytes(32).toString("base64url");
      const query = new URLSearchParams({
        client_id: client.client_id,
        redirect_uri: "https://shop.example/callback",
        response_type: "code",
        scope: "openid profile",
        code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
        code_challenge_method: "S256",
      });
      const page = await browser.open(`/oauth/v2/authorize?${query.toString()}`);
      const back = await browser.submit(page, { decision: "allow" }, { action: "/ui/login/consent" });
      assert.ok(isBack(back), back.html);
      const put = await server.rest("PUT", new URL(client.registration_client_uri).pathname, {
        token: client.registration_access_token,
        body: { ...metadata, client_name: isChanged ? "Bank" : metadata.client_name },
      });
      assert.equal(put.status, 200, JSON.stringify(put.body));
      const { status, body } = await server.form(
        "/oauth/v2/token",
        {
          grant_type: "authorization_code",
          code: new URL(back.address).searchParams.get("code") ?? "",
          redirect_uri: "https://shop.example/callback",
          code_verifier: codeVerifier,
        },
        basicOf(client.client_id, client.client_secret),
      );
      assert.equal(status, isChanged ? 400 : 200, JSON.stringify(body));
      if (isChanged) assert.equal(body.error, "invalid_grant");
    }
  });

  test("tokens end with the consent when their client changes itself (A18)", async (t) => {
    const server = await startOidcServer(t, { engine });
    await setRegistration(server, "open");
    const browser = await signedIn(server, server.user);
    for (const isChanged of [true, false]) {
      const grants = ["authorization_code", "refresh_token"];
      const redirectUri = "https://shop.example/callback";
      const metadata = { redirect_uris: [redirectUri], client_name: `Shop ${isChanged}`, grant_types: grants };
      const client = await registered(server, metadata, null);
      const codeVerifier = randomBytes(32).toString("base64url");
      const query = new URLSearchParams({
        client_id: client.client_id,
        redirect_uri: redirectUri,
        response_type: "code",
        scope: "openid profile offline_access",
        code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
        code_challenge_method: "S256",
      });
      const page = await browser.open(`/oauth/v2/authorize?${query.toString()}`);
      const back = await browser.submit(page, { decision: "allow" }, { action: "/ui/login/consent" });
      const send = async (parameters: Readonly<Record<string, string>>) =>
        server.form("/oauth/v2/token", parameters, basicOf(client.client_id, client.client_secret));
      const code = new URL(back.address).searchParams.get("code") ?? "";
      const grant = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: codeVerifier };
      const { body: tokens } = await send(grant);
      const put = await server.rest("PUT", new URL(client.registration_client_uri).pathname, {
        token: client.registration_access_token,
        body: { ...metadata, client_name: isChanged ? "Bank" : metadata.client_name },
      });
      assert.equal(put.status, 200, JSON.stringify(put.body));
      const { status, body } = await send({ grant_type: "refresh_token", refresh_token: tokens.refresh_token });
      assert.equal(status, isChanged ? 400 : 200, JSON.stringify(body));
      const userinfo = await server.rest("GET", "/oidc/v1/userinfo", { token: tokens.access_token });
      assert.equal(userinfo.status, isChanged ? 401 : 200);
    }
  });

  test("an approved device gets nothing once the access is taken away (A5)", async (t) => {
    const server = await startDeviceServer(t, { engine });
    const { clientId } = server.device;
    const scopes = ["openid offline_access urn:service:iam:api:me:read", "openid offline_access"];
    for (const [scope, isTaken] of scopes.flatMap((one) => [[one, true] as const, [one, false] as const])) {
      const waiting = await server.wait(scope);
      const decided = await server.decide(waiting.user_code, await server.session());
      assert.equal(decided.status, 200, JSON.stringify(decided.body));
      if (isTaken) await revokeOwnClient(server.app.domain, await personCall(server, server.user.userId), { clientId });
      const { status, body } = await server.poll(waiting.device_code);
      assert.equal(status, isTaken ? 400 : 200, JSON.stringify(body));
      // RFC 8628 §3.5: the device learns that its user turned it away.
      if (isTaken) assert.equal(body.error, "access_denied");
    }
  });
});
