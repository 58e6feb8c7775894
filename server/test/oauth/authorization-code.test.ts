import assert from "node:assert/strict";
import { test } from "node:test";
import { enginesInTurn } from "../support/databases/turns.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { addOrganization, addPerson } from "../support/people/people.ts";

enginesInTurn((engine, test, both) => {
  test("a code gives an access token, an id token and, with offline_access, a refresh token", async (t) => {
    const { tokens, introspect, user, client } = await startOidcServer(t, { engine });
    const answer = await tokens({ scope: "openid profile offline_access", parameters: { nonce: "n-1" } });
    assert.equal(answer["token_type"], "Bearer");
    assert.equal(answer["expires_in"], 43_200);
    assert.equal(answer["scope"], "openid profile offline_access");
    assert.ok(answer["refresh_token"] && answer["id_token"]);
    const token = await introspect(answer["access_token"] ?? "");
    assert.equal(token["active"], true);
    assert.equal(token["sub"], user.userId);
    assert.equal(token["client_id"], client.clientId);
    assert.equal(token["username"], user.loginName);
  });

  test("a code presented twice is refused and revokes the tokens it gave (RFC 6749 §4.1.2)", async (t) => {
    const { signIn, form, client, introspect } = await startOidcServer(t, { engine });
    const { code, codeVerifier } = await signIn();
    const redeem = () =>
      form(
        "/oauth/v2/token",
        { grant_type: "authorization_code", code, redirect_uri: client.redirectUri, code_verifier: codeVerifier },
        client.basic,
      );
    const first = await redeem();
    assert.equal(first.status, 200);
    const second = await redeem();
    assert.equal(second.status, 400);
    assert.equal(second.body.error, "invalid_grant");
    assert.deepEqual(await introspect(first.body.access_token), { active: false });
  });

  both("of 50 parallel redemptions of one code exactly one succeeds", async (t) => {
    const { signIn, form, client } = await startOidcServer(t, { engine });
    const { code, codeVerifier } = await signIn();
    const parameters = {
      grant_type: "authorization_code",
      code,
      redirect_uri: client.redirectUri,
      code_verifier: codeVerifier,
    };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => form("/oauth/v2/token", parameters, client.basic)),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(answers.filter(({ body }) => body.error === "invalid_grant").length, 49);
  });

  test("the code of one client is worth nothing to another, and trying does not spend it", async (t) => {
    const { signIn, form, client, createClient } = await startOidcServer(t, { engine });
    const other = await createClient();
    const { code, codeVerifier } = await signIn();
    const parameters = {
      grant_type: "authorization_code",
      code,
      redirect_uri: client.redirectUri,
      code_verifier: codeVerifier,
    };
    assert.equal((await form("/oauth/v2/token", parameters, other.basic)).body.error, "invalid_grant");
    assert.equal((await form("/oauth/v2/token", parameters, client.basic)).status, 200);
  });
});

const wrongs: readonly { name: string; change: Record<string, string | undefined>; error: string }[] = [
  { name: "another redirect URI", change: { redirect_uri: "https://app.example/callback/" }, error: "invalid_grant" },
  { name: "no redirect URI", change: { redirect_uri: undefined }, error: "invalid_request" },
  { name: "no code", change: { code: undefined }, error: "invalid_request" },
  { name: "an altered code", change: { code: `dwc_${"A".repeat(43)}` }, error: "invalid_grant" },
  { name: "a code of another form", change: { code: "x" }, error: "invalid_grant" },
  { name: "no code verifier", change: { code_verifier: undefined }, error: "invalid_grant" },
  { name: "a wrong code verifier", change: { code_verifier: "A".repeat(43) }, error: "invalid_grant" },
  { name: "a code verifier of the wrong form", change: { code_verifier: "short" }, error: "invalid_request" },
  { name: "an unknown grant type", change: { grant_type: "password" }, error: "unsupported_grant_type" },
  { name: "no grant type", change: { grant_type: undefined }, error: "invalid_request" },
];

test("a redemption with one thing wrong is refused with its own error and leaves the code good", async (t) => {
  const { signIn, form, client } = await startOidcServer(t);
  const { code, codeVerifier } = await signIn();
  const right = {
    grant_type: "authorization_code",
    code,
    redirect_uri: client.redirectUri,
    code_verifier: codeVerifier,
  };
  for (const { name, change, error } of wrongs) {
    const changed = Object.entries({ ...right, ...change }).filter(([, value]) => value !== undefined);
    const answer = await form("/oauth/v2/token", Object.fromEntries(changed) as Record<string, string>, client.basic);
    assert.equal(answer.body.error, error, name);
    assert.equal(answer.status, 400, name);
    assert.equal(answer.headers.get("cache-control"), "no-store", name);
  }
  assert.equal((await form("/oauth/v2/token", right, client.basic)).status, 200);
});

test("a code expires after 60 seconds", async (t) => {
  const server = await startOidcServer(t);
  const { code, codeVerifier } = await server.signIn();
  server.clock.now += 60_001;
  const answer = await server.form(
    "/oauth/v2/token",
    { grant_type: "authorization_code", code, redirect_uri: server.client.redirectUri, code_verifier: codeVerifier },
    server.client.basic,
  );
  assert.equal(answer.body.error, "invalid_grant");
});

test("a code verifier is required if and only if there was a challenge (RFC 9700 §2.1.1)", async (t) => {
  const { form, client, signIn } = await startOidcServer(t);
  const redeem = (code: string, codeVerifier?: string) =>
    form(
      "/oauth/v2/token",
      {
        grant_type: "authorization_code",
        code,
        redirect_uri: client.redirectUri,
        ...(codeVerifier !== undefined && { code_verifier: codeVerifier }),
      },
      client.basic,
    );
  const challenged = await signIn();
  assert.equal((await redeem(challenged.code)).body.error, "invalid_grant", "C4");
  const unchallenged = await signIn({ parameters: { code_challenge: "", code_challenge_method: "" } });
  assert.equal((await redeem(unchallenged.code, unchallenged.codeVerifier)).body.error, "invalid_grant");
  assert.equal((await redeem(unchallenged.code)).status, 200);
});

test("a code is refused once its session was ended", async (t) => {
  const { signIn, form, client, rest } = await startOidcServer(t);
  const { code, codeVerifier, sessionId, sessionToken } = await signIn();
  assert.equal((await rest("DELETE", `/v2/sessions/${sessionId}`, { body: { sessionToken } })).status, 200);
  const answer = await form(
    "/oauth/v2/token",
    { grant_type: "authorization_code", code, redirect_uri: client.redirectUri, code_verifier: codeVerifier },
    client.basic,
  );
  assert.equal(answer.body.error, "invalid_grant");
});

test("a code is refused once its user was deactivated, and while the user's organization is, which does not spend it", async (t) => {
  const server = await startOidcServer(t);
  const { client } = server;
  const organizationId = await addOrganization(server, "Elsewhere");
  const signIn = async (username: string) => {
    const person = await addPerson(server, { username, organizationId });
    const { code, codeVerifier } = await server.signIn({ user: person });
    const form = { grant_type: "authorization_code", code, code_verifier: codeVerifier };
    const redeem = () => server.form("/oauth/v2/token", { ...form, redirect_uri: client.redirectUri }, client.basic);
    return { userId: person.userId, redeem };
  };
  const turn = async (verb: string) => {
    const { status } = await server.connect(`service.org.v2.OrganizationService/${verb}`, { organizationId });
    assert.equal(status, 200, verb);
  };
  const [ada, bob] = [await signIn("ada-elsewhere"), await signIn("bob-elsewhere")];
  await turn("DeactivateOrganization");
  assert.equal((await ada.redeem()).body.error, "invalid_grant");
  await turn("ActivateOrganization");
  assert.equal((await ada.redeem()).status, 200);
  assert.equal((await server.rest("POST", `/v2/users/${bob.userId}/deactivate`, { body: {} })).status, 200);
  assert.equal((await bob.redeem()).body.error, "invalid_grant");
});
