import assert from "node:assert/strict";
import { enginesInTurn } from "../support/databases/turns.ts";
import { fetch } from "../support/http/fetch.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { consumer, logoutAddress, logoutService, nodeSaml, partnerKey, register, statusesOf } from "./support.ts";

const service = "service.saml.v2.SAMLService";

enginesInTurn((engine, test) => {
  test("a custom login reads a SAML request and answers it, once, with a session or an error", async (t) => {
    const server = await startOidcServer(t, { engine, now: Date.now() });
    const { entityId } = await register(
      server,
      {},
      {
        loginVersion: { loginV2: { baseUri: "https://login.example/ui" } },
      },
    );
    const sp = await nodeSaml(server, entityId, { forceAuthn: false });
    const begin = async (): Promise<string> => {
      const address = await sp.getAuthorizeUrlAsync("state", undefined, {});
      const sent = await fetch(address, { redirect: "manual" });
      const location = new URL(sent.headers.get("location") ?? "");
      assert.equal(location.origin + location.pathname, "https://login.example/ui/login");
      assert.equal(sent.headers.get("set-cookie"), null);
      return location.searchParams.get("samlRequest") ?? "";
    };
    const { loginToken: token, user } = server;
    const call = (method: string, body: object, as: string | null = token) =>
      server.connect(`${service}/${method}`, body, { token: as });
    const samlRequestId = await begin();
    assert.match(samlRequestId, /^V2_/);
    const { samlRequest } = (await call("GetSAMLRequest", { samlRequestId })).body;
    assert.equal(samlRequest.id, samlRequestId);
    assert.equal(samlRequest.issuer, entityId);
    assert.equal(samlRequest.assertionConsumerService, consumer);
    assert.equal(samlRequest.relayState, "state");
    assert.deepEqual(samlRequest.scope, ["openid", "profile", "email"]);
    const viaRest = await server.rest("GET", `/v2/saml/saml_requests/${samlRequestId}`, { token });
    assert.equal(viaRest.body.samlRequest.issuer, entityId);
    const made = await server.rest("POST", "/v2/sessions", {
      body: { checks: { user: { userId: user.userId }, password: { password: user.password } } },
    });
    const { sessionId, sessionToken } = made.body;
    const session = { sessionId, sessionToken };
    // Only a login, and only with the session's token.
    assert.equal((await call("CreateResponse", { samlRequestId, session }, server.ownerToken)).status, 403);
    assert.equal((await call("GetSAMLRequest", { samlRequestId }, null)).status, 401);
    const guessed = { sessionId, sessionToken: "x" };
    assert.equal((await call("CreateResponse", { samlRequestId, session: guessed })).status, 403);
    // OpenID Connect knows no SAML request, and SAML no other.
    const oidc = { authRequestId: samlRequestId, session };
    assert.equal((await server.connect("service.oidc.v2.OIDCService/CreateCallback", oidc, { token })).status, 404);
    assert.equal(
      (await server.connect("service.oidc.v2.OIDCService/GetAuthRequest", { authRequestId: samlRequestId }, { token }))
        .status,
      404,
    );
    const answered = await call("CreateResponse", { samlRequestId, session });
    assert.equal(answered.status, 200, JSON.stringify(answered.body));
    assert.equal(answered.body.url, consumer);
    assert.equal(answered.body.post.relayState, "state");
    const { profile } = await sp.validatePostResponseAsync({ SAMLResponse: answered.body.post.samlResponse });
    assert.equal(profile?.nameID, user.loginName);
    assert.equal((await call("CreateResponse", { samlRequestId, session })).status, 404);
    const other = await begin();
    const refused = await call("CreateResponse", {
      samlRequestId: other,
      error: { error: "ERROR_REASON_REQUEST_DENIED", errorDescription: "<no>" },
    });
    const xml = Buffer.from(refused.body.post.samlResponse, "base64").toString();
    assert.deepEqual(statusesOf(xml), ["Responder", "RequestDenied"]);
    assert.ok(xml.includes("&lt;no&gt;"));
  });

  test("a service provider ends a session of a custom login by its signature", async (t) => {
    const server = await startOidcServer(t, { engine, now: Date.now() });
    const key = await partnerKey();
    const logout = logoutService("HTTP-Redirect", logoutAddress);
    const loginVersion = { loginV2: { baseUri: "https://login.example/ui" } };
    const { entityId } = await register(server, { keys: [key.der], logout }, { loginVersion });
    const sp = await nodeSaml(server, entityId, { privateKey: key.privateKey });
    const sent = await fetch(await sp.getAuthorizeUrlAsync("", undefined, {}), { redirect: "manual" });
    const samlRequestId = new URL(sent.headers.get("location") ?? "").searchParams.get("samlRequest") ?? "";
    const made = await server.rest("POST", "/v2/sessions", {
      body: { checks: { user: { userId: server.user.userId }, password: { password: server.user.password } } },
    });
    const { sessionId, sessionToken } = made.body;
    const session = { sessionId, sessionToken };
    const answered = await server.connect(
      `${service}/CreateResponse`,
      { samlRequestId, session },
      { token: server.loginToken },
    );
    const { profile } = await sp.validatePostResponseAsync({ SAMLResponse: answered.body.post.samlResponse });
    assert.ok(profile);
    assert.equal((await server.rest("GET", `/v2/sessions/${sessionId}`)).status, 200);
    const end = await fetch(await sp.getLogoutUrlAsync(profile, "", {}), { redirect: "manual" });
    assert.ok(end.headers.get("location")?.startsWith(logoutAddress));
    assert.equal((await server.rest("GET", `/v2/sessions/${sessionId}`)).status, 404);
  });
});
