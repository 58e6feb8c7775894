import assert from "node:assert/strict";
import { createPrivateKey, randomUUID, sign } from "node:crypto";
import { test } from "node:test";
import { Secret } from "../../src/base/secret.ts";
import { completeSetup, issueSetupLink } from "../../src/domain/setup/index.ts";
import { fetch } from "../support/http/fetch.ts";
import { fetchNonce, makeProof, makeProofKey } from "../support/oidc/dpop.ts";
import { testCall } from "../support/operations/call.ts";
import { refused } from "../support/operations/refused.ts";
import { type Cluster, eachTopology, race, type ServerNode } from "../support/servers/nodes.ts";

const attempts = 50;
const token = "/oauth/v2/token";
const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

eachTopology((start) => {
  test("a one-time secret works once, however many try at the same time", async (t) => {
    const cluster = await start(t);
    await t.test("a code; trying again revokes what it gave (RFC 6749 §4.1.2)", () => raceForCode(cluster));
    await t.test("a refresh token; and the losers' reuse revokes the family (RFC 9700 §4.14.2)", () =>
      raceForRefreshToken(cluster),
    );
    await t.test("a client assertion (RFC 7523 §3)", () => raceForClientAssertion(cluster));
    await t.test("an assertion of a service account", () => raceForJwtBearer(cluster));
    await t.test("a proof of possession (RFC 9449 §11.1)", () => raceForProof(cluster));
    await t.test("the reference to a pushed request (RFC 9126 §7.3)", () => raceForPushedRequest(cluster));
    await t.test("an email code", () => raceForEmailCode(cluster));
    await t.test("a phone code", () => raceForPhoneCode(cluster));
    await t.test("an invitation", () => raceForInvitation(cluster));
    await t.test("a password reset", () => raceForPasswordReset(cluster));
    await t.test("the answer to an authorization request", () => raceForAnswer(cluster));
    await t.test("the setup link", () => raceForSetupLink(cluster));
    await t.test("guesses at a code: each is counted", () => raceOfGuesses(cluster));
    await t.test("tokens of a session: each write makes one, and only the last is good", () => raceOfWrites(cluster));
  });
});

async function raceForCode(cluster: Cluster): Promise<void> {
  const { first } = cluster;
  const { code, codeVerifier } = await first.signIn({ scope: "openid offline_access" });
  const redemption = {
    grant_type: "authorization_code",
    code,
    code_verifier: codeVerifier,
    redirect_uri: first.client.redirectUri,
  };
  const answers = await race(attempts, cluster, (node) => node.form(token, redemption, first.client.basic));
  const won = onlyOne(answers, "invalid_grant");
  const late = await cluster.other.form(token, redemption, first.client.basic);
  assert.equal(late.body.error, "invalid_grant");
  for (const node of cluster.nodes) {
    const introspected = await node.form("/oauth/v2/introspect", { token: won.access_token }, first.client.basic);
    assert.deepEqual(introspected.body, { active: false });
  }
}

async function raceForRefreshToken(cluster: Cluster): Promise<void> {
  const { first } = cluster;
  const { refresh_token: refreshToken = "" } = await first.tokens({ scope: "openid offline_access" });
  const refresh = (node: ServerNode, given: string) =>
    node.form(token, { grant_type: "refresh_token", refresh_token: given }, first.client.basic);
  const won = onlyOne(await race(attempts, cluster, (node) => refresh(node, refreshToken)), "invalid_grant");
  assert.equal((await refresh(cluster.other, won.refresh_token)).body.error, "invalid_grant");
  assert.deepEqual(await first.introspect(won.access_token), { active: false });
}

async function raceForClientAssertion(cluster: Cluster): Promise<void> {
  const { first } = cluster;
  const client = await first.createClient({ authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" });
  const made = await first.connect("service.application.v2.ApplicationService/CreateApplicationKey", {
    projectId: first.projectId,
    applicationId: client.applicationId,
    expirationDate: "2100-01-01T00:00:00Z",
  });
  const parameters = {
    token: "dwa_x",
    client_assertion: assertionOf(first, made.body.keyDetails, client.clientId),
    client_assertion_type: assertionType,
  };
  onlyOne(await race(attempts, cluster, (node) => node.form("/oauth/v2/introspect", parameters)), "invalid_client");
}

async function raceForProof(cluster: Cluster): Promise<void> {
  const { first } = cluster;
  const key = await makeProofKey();
  const nonce = await fetchNonce(first, key);
  const dpop = await makeProof(first, key, { path: token, nonce });
  const request = { grant_type: "refresh_token", refresh_token: "x" };
  const answers = await race(attempts, cluster, (node) => node.form(token, request, { ...first.client.basic, dpop }));
  const errors = answers.map(({ body }) => body.error).sort();
  // Who came first is told what is wrong with the rest of the request.
  const others = Array.from({ length: attempts - 1 }, () => "invalid_dpop_proof");
  assert.deepEqual(errors, [...others, "invalid_grant"]);
}

async function raceForPushedRequest(cluster: Cluster): Promise<void> {
  const { first } = cluster;
  const request = { redirect_uri: first.client.redirectUri, response_type: "code", scope: "openid" };
  const pushed = await first.form("/oauth/v2/par", request, first.client.basic);
  const query = new URLSearchParams({ client_id: first.client.clientId, request_uri: pushed.body.request_uri });
  // A look does not use it up; the first answer does, on whichever node.
  const answers = await race(attempts, cluster, async (node) => {
    const login = await fetch(`${node.origin}/oauth/v2/authorize?${query}`, { redirect: "manual" });
    assert.ok(login.status === 303 || login.status === 400, `${login.status}`);
    const id = new URL(login.headers.get("location") ?? "", node.origin).searchParams.get("authRequest");
    if (id === null) return login.status;
    const body = { error: { error: "ERROR_REASON_ACCESS_DENIED" } };
    return (await node.rest("POST", `/v2/oidc/auth_requests/${id}`, { token: first.loginToken, body })).status;
  });
  assert.equal(answers.filter((status) => status === 200).length, 1, answers.join());
  assert.equal(answers.filter((status) => status === 400).length, attempts - 1, answers.join());
}

async function raceForJwtBearer(cluster: Cluster): Promise<void> {
  const { first } = cluster;
  const { id } = await ok(
    first.rest("POST", "/v2/users/new", {
      body: { organizationId: first.organizationId, username: "robot", machine: { name: "Robot" } },
    }),
  );
  const key = await ok(
    first.rest("POST", `/v2/users/${id}/keys`, { body: { expirationDate: "2100-01-01T00:00:00Z" } }),
  );
  const assertion = assertionOf(first, key.keyContent, id);
  const parameters = { grant_type: jwtBearer, scope: "openid", assertion };
  onlyOne(await race(attempts, cluster, (node) => node.form(token, parameters)), "invalid_grant");
}

async function raceForEmailCode(cluster: Cluster): Promise<void> {
  const { code, userId } = await emailCode(cluster);
  onlyOneCode(await race(attempts, cluster, (node) => verifyEmail(node, userId, code)));
}

async function raceForPhoneCode(cluster: Cluster): Promise<void> {
  const path = `/v2/users/${cluster.first.user.userId}/phone`;
  const { verificationCode } = await ok(
    cluster.first.rest("POST", path, { body: { phone: "+41791234567", returnCode: {} } }),
  );
  onlyOneCode(
    await race(attempts, cluster, (node) => node.rest("POST", `${path}/verify`, { body: { verificationCode } })),
  );
}

async function raceForInvitation(cluster: Cluster): Promise<void> {
  const { first } = cluster;
  const { id } = await ok(
    first.rest("POST", "/v2/users/new", {
      body: {
        organizationId: first.organizationId,
        username: "guest",
        human: {
          profile: { givenName: "Guest", familyName: "Example" },
          email: { email: "guest@mail.example", isVerified: true },
        },
      },
    }),
  );
  const path = `/v2/users/${id}/invite_code`;
  const { inviteCode } = await ok(first.rest("POST", path, { body: { returnCode: {} } }));
  const body = { verificationCode: inviteCode };
  onlyOneCode(await race(attempts, cluster, (node) => node.rest("POST", `${path}/verify`, { body })));
}

// Each attempt hashes the new password before it knows, so these are fewer.
async function raceForPasswordReset(cluster: Cluster): Promise<void> {
  const path = `/v2/users/${cluster.first.user.userId}`;
  const { verificationCode } = await ok(
    cluster.first.rest("POST", `${path}/password_reset`, { body: { returnCode: {} } }),
  );
  const answers = await race(10, cluster, (node, index) =>
    node.rest("POST", `${path}/password`, {
      body: { newPassword: { password: `another long passphrase ${index}` }, verificationCode },
    }),
  );
  onlyOneCode(answers);
}

async function raceForAnswer(cluster: Cluster): Promise<void> {
  const { first } = cluster;
  const { sessionId, sessionToken } = await newSession(cluster, "grace");
  const query = new URLSearchParams({
    client_id: first.client.clientId,
    redirect_uri: first.client.redirectUri,
    response_type: "code",
    scope: "openid",
  });
  const sent = await fetch(`${first.origin}/oauth/v2/authorize?${query}`, { redirect: "manual" });
  const authRequest = new URL(sent.headers.get("location") ?? "", first.origin).searchParams.get("authRequest");
  const answers = await race(attempts, cluster, (node) =>
    node.rest("POST", `/v2/oidc/auth_requests/${authRequest}`, {
      token: first.loginToken,
      body: { session: { sessionId, sessionToken } },
    }),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  const ids = new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.details[0].id));
  for (const id of ids) assert.match(id, /^auth_request\.(answered_already|not_found)$/);
}

async function raceForSetupLink(cluster: Cluster): Promise<void> {
  const { domain } = cluster.first.app;
  const instance = await domain.findInstanceByHost("localhost");
  assert.ok(instance);
  const call = testCall({ instanceId: instance.instanceId, now: domain.clock() });
  const secret = await issueSetupLink(domain, call);
  assert.ok(secret, "an instance that never had an administrator gives a link");
  const answers = await race(10, cluster, ({ app }, index) =>
    completeSetup(app.domain, call, {
      username: `admin${index}`,
      profile: { givenName: "A", familyName: "B" },
      email: `admin${index}@mail.example`,
      password: "correct horse battery staple",
      secret: new Secret(secret.reveal()),
    }).then(
      () => "done",
      async (error: unknown) => {
        await refused(Promise.reject(error), "setup.closed");
        return "refused";
      },
    ),
  );
  assert.equal(answers.filter((answer) => answer === "done").length, 1);
}

async function raceOfGuesses(cluster: Cluster): Promise<void> {
  const { code, userId } = await emailCode(cluster);
  const wrong = await race(attempts, cluster, (node, index) => verifyEmail(node, userId, `${code}${index}`));
  assert.ok(wrong.every(({ status }) => status === 400));
  // More guesses were made than a code survives, so the right one is as good as any other now.
  assert.equal((await verifyEmail(cluster.first, userId, code)).status, 400);
}

async function raceOfWrites(cluster: Cluster): Promise<void> {
  const { sessionId } = await newSession(cluster, "joan");
  const answers = await race(attempts, cluster, (node) =>
    node.rest("PATCH", `/v2/sessions/${sessionId}`, { body: {} }),
  );
  const failed = answers.find(({ status }) => status !== 200);
  assert.equal(failed, undefined, JSON.stringify(failed));
  const sequences = new Set(answers.map(({ body }) => body.details.sequence));
  assert.equal(sequences.size, attempts, "every write has a sequence of its own");
  const good = await race(attempts, cluster, async (node, index) => {
    const { status } = await node.rest("GET", "/auth/v1/users/me", { token: answers[index]?.body.sessionToken });
    return status !== 401;
  });
  assert.equal(good.filter(Boolean).length, 1);
}

async function emailCode({ first }: Cluster): Promise<{ code: string; userId: string }> {
  const { userId } = first.user;
  const body = { email: "other@mail.example", returnCode: {} };
  const { verificationCode } = await ok(first.rest("POST", `/v2/users/${userId}/email`, { body }));
  return { code: verificationCode, userId };
}

const verifyEmail = (node: ServerNode, userId: string, verificationCode: string) =>
  node.rest("POST", `/v2/users/${userId}/email/verify`, { body: { verificationCode } });

// The password of the cluster's own person was reset, so sessions are made for others.
async function newSession({ first }: Cluster, username: string) {
  const { id } = await ok(
    first.rest("POST", "/v2/users/new", {
      body: {
        organizationId: first.organizationId,
        username,
        human: {
          profile: { givenName: "Grace", familyName: "Hopper" },
          email: { email: `${username}@mail.example`, isVerified: true },
          password: { password: first.user.password, changeRequired: false },
        },
      },
    }),
  );
  return ok(
    first.rest("POST", "/v2/sessions", {
      body: { checks: { user: { userId: id }, password: { password: first.user.password } } },
    }),
  );
}

function assertionOf({ clock, origin }: Cluster["first"], keyFile: string, subject: string): string {
  const { key, keyId } = JSON.parse(Buffer.from(keyFile, "base64").toString("utf8"));
  const now = Math.floor(clock.now / 1000);
  const claims = { iss: subject, sub: subject, aud: origin, iat: now, exp: now + 60, jti: randomUUID() };
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const input = `${encode({ alg: "RS256", kid: keyId })}.${encode(claims)}`;
  return `${input}.${sign("sha256", Buffer.from(input), createPrivateKey(key)).toString("base64url")}`;
}

/** Requires that one answer is good and all others are this error of OAuth. */
function onlyOne(answers: readonly RestAnswer[], error: string): RestAnswer["body"] {
  const [won, ...more] = answers.filter(({ status }) => status === 200);
  assert.ok(won, `nobody won: ${JSON.stringify(answers[0])}`);
  assert.equal(more.length, 0, `${more.length + 1} won`);
  const errors = new Set(answers.filter((answer) => answer !== won).map(({ body }) => body.error));
  assert.deepEqual([...errors], [error]);
  return won.body;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects.
type RestAnswer = { readonly status: number; readonly body: any };

function onlyOneCode(answers: readonly RestAnswer[]): void {
  assert.equal(answers.filter(({ status }) => status === 200).length, 1, JSON.stringify(answers[0]));
  const ids = new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.details[0].id));
  assert.deepEqual([...ids], ["user.code_invalid"]);
}

async function ok(answering: Promise<RestAnswer>): Promise<RestAnswer["body"]> {
  const answer = await answering;
  assert.ok(answer.status < 300, `${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}
