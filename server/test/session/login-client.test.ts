import assert from "node:assert/strict";
import { test } from "node:test";
import type { DescMethodUnary } from "@bufbuild/protobuf";
import { sql } from "../../src/database/index.ts";
import { publishedRoles } from "../access/support/model.ts";
import { requestOf } from "../access/support/request.ts";
import { readRows } from "../access/support/rows.ts";
import { keysAt } from "../factor/key-support.ts";
import { addFace, callUser, inboxOf, refusalOf, slugOf } from "../factor/support.ts";
import { codeTo } from "../login/support/sign-up.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { addOrganization, addPerson, appoint, defaultOrganization, type Person } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { RestAnswer, TestServer } from "../support/servers/server.ts";
import { createAuthenticator } from "../support/sign-in/authenticator.ts";
import { appCode } from "../support/sign-in/totp.ts";

const unproven = "user.login_client_unproven";

/** What asks the user for a proof, or changes nothing that a sign-in depends on. */
const reachesOnlyTheUser =
  /\/(PasswordReset|ResendEmailCode|SendEmailCode|ResendPhoneCode|CreateInviteCode|ResendInviteCode|HumanMFAInitSkipped|CreatePasskeyRegistrationLink|SendHumanResetPasswordNotification|ResendHumanEmailVerification|ResendHumanPhoneVerification|SendPasswordlessRegistration)$/;

async function addRobot(server: TestServer, username: string): Promise<string> {
  const organizationId = await defaultOrganization(server);
  return (await callUser(server, "CreateUser", { organizationId, username, machine: { name: username } })).id;
}

/** Everything that a sign-in of the user depends on. */
async function credentialsOf({ app }: TestServer, userId: string): Promise<string> {
  const { read } = app.domain.database;
  const rows = await Promise.all([
    read.all<Record<string, unknown>>(sql`select * from users where user_id = ${userId}`),
    read.all<Record<string, unknown>>(sql`select * from user_keys where user_id = ${userId}`),
    read.all<Record<string, unknown>>(sql`select * from personal_access_tokens where user_id = ${userId}`),
    read.all<Record<string, unknown>>(sql`select * from user_factors where user_id = ${userId}`),
    read.all<Record<string, unknown>>(sql`select * from recovery_codes where user_id = ${userId}`),
    read.all<Record<string, unknown>>(sql`select * from identity_links where user_id = ${userId}`),
  ]);
  const dropped = ["sequence", "changed_at", "second_factor_skipped_at"];
  return JSON.stringify(rows, (key, value) => (dropped.includes(key) ? undefined : value));
}

const targets: Readonly<Record<string, (server: TestServer) => Promise<string>>> = {
  "a service account": (server) => addRobot(server, "robot"),
  "a service account that owns the instance": async (server) => {
    const userId = await addRobot(server, "owning-robot");
    await appoint(server, { userId }, { instance: true }, ["IAM_OWNER"]);
    return userId;
  },
  "an owner of the instance": async (server) => {
    const { userId } = await addFace(server, "owner");
    await appoint(server, { userId }, { instance: true }, ["IAM_OWNER"]);
    return userId;
  },
  "an owner of another organization": async (server) => {
    const organizationId = await addOrganization(server, "Elsewhere");
    const { userId } = await addPerson(server, { username: "elsewhere", organizationId });
    await appoint(server, { userId }, { organizationId }, ["ORG_OWNER"]);
    return userId;
  },
  "a person who has not signed in": async (server) => (await addFace(server, "linus")).userId,
};

const proveThere = (server: TestServer, token: string, { userId, password }: Person) =>
  server.rest("POST", "/v2/sessions", { token, body: { checks: { user: { userId }, password: { password } } } });

eachServer((start) => {
  test("a sign-in application changes no user's factors on its word alone, by any method (A14)", async (t) => {
    const server = await start(t);
    const { loginToken } = await setUpOidc(server);
    const organization = await defaultOrganization(server);
    const held = publishedRoles.get("IAM_LOGIN_CLIENT")?.permissions ?? new Set();
    const rows = [...readRows().values()].filter(
      ({ about, permissions, isForEverybody }) =>
        !isForEverybody &&
        (about === "user" || about === "machine") &&
        permissions.some((permission) => held.has(permission) && !permission.endsWith(".read")),
    );
    const complaints: string[] = [];
    for (const [name, make] of Object.entries(targets)) {
      const userId = await make(server);
      const kindBefore = await credentialsOf(server, userId);
      const { organization_id: home } = (JSON.parse(kindBefore)[0] as [{ organization_id: string }])[0];
      for (const row of rows) {
        const descriptor = (await server.app.methods.get(row.method)?.loadDescriptor()) as DescMethodUnary | undefined;
        assert.ok(descriptor, row.method);
        const objects = { user: userId, machine: userId, organization, idp: "1", machineKey: "1", pat: "1" };
        const answer = await server.rest("POST", `/${row.method}`, {
          token: loginToken,
          body: requestOf(row, descriptor.input, objects),
          headers: { "x-service-orgid": home },
        });
        const isFine =
          slugOf(answer) === unproven || (reachesOnlyTheUser.test(row.method) && !name.includes("account"));
        if (!isFine && answer.status < 300) complaints.push(`${row.method} on ${name}: ${answer.status}`);
        if (answer.status >= 500) complaints.push(`${row.method} on ${name}: ${JSON.stringify(answer.body)}`);
      }
      if ((await credentialsOf(server, userId)) !== kindBefore) complaints.push(`${name}: the ways in have changed`);
      for (const returning of ["PasswordReset", "CreateInviteCode", "CreatePasskeyRegistrationLink"]) {
        const slug = await refusalOf(server, returning, { userId, returnCode: {} }, loginToken);
        if (slug !== unproven) complaints.push(`${returning} with a returned code on ${name}: ${slug}`);
      }
    }
    assert.ok(rows.length > 40, `${rows.length} methods`);
    assert.deepEqual(complaints, []);
    const machine = { organizationId: organization, username: "new", machine: { name: "new" } };
    assert.equal(await refusalOf(server, "CreateUser", machine, loginToken), "user.login_client_machine");
  });

  test("a sign-in application with a password alone does not give itself the second factor (A14)", async (t) => {
    const server = await start(t);
    const { loginToken } = await setUpOidc(server);
    await changeSettings(server, "login", { secondFactors: ["totp", "otp_email", "otp_sms"] });
    const loginV2 = { required: false, baseUri: "https://login.example" };
    assert.equal((await server.rest("PUT", "/v2/features/instance", { body: { loginV2 } })).status, 200);
    const returned = { otpEmail: { returnCode: {} } };
    const sent = { otpEmail: { sendCode: {} } };
    const query = "code={{.Code}}&session={{.SessionID}}";
    const sentTo = (page: string) => ({ otpEmail: { sendCode: { urlTemplate: `${page}?${query}` } } });
    // An application of the organization of the sign-in application has its callback there.
    const linked = sentTo("https://app.example/otp");
    const write = (method: "POST" | "PATCH", path: string, body: object, token = loginToken) =>
      server.rest(method, `/v2/sessions${path}`, { token, body });
    const begin = async ({ userId, password }: Person, more: object = {}) =>
      write("POST", "", { checks: { user: { userId }, password: { password } }, ...more });
    const opens = async ({ body }: RestAnswer) =>
      (await server.rest("GET", "/auth/v1/users/me", { token: body.sessionToken })).status === 200;

    for (const resource of [{ instance: true }, { organizationId: await defaultOrganization(server) }]) {
      const username = "instance" in resource ? "owner" : "keeper";
      const admin = await addPerson(server, { username });
      await appoint(server, admin, resource, ["instance" in resource ? "IAM_OWNER" : "ORG_OWNER"]);
      await callUser(server, "AddOTPEmail", { userId: admin.userId });
      server.clock.now += 1000;
      const begun = await begin(admin);
      const id = `/${begun.body.sessionId}`;
      const inbox = () => inboxOf(server, `${username}@mail.example`);
      const before = (await inbox()).length;
      for (const challenges of [returned, linked]) {
        assert.equal(slugOf(await begin(admin, { challenges })), unproven, username);
        assert.equal(slugOf(await write("PATCH", id, { challenges })), unproven, username);
      }
      assert.equal((await inbox()).length, before, "nothing is sent");
      assert.equal((await write("PATCH", id, { challenges: sentTo("https://login.example/otp") })).status, 200);
      assert.equal((await write("PATCH", id, { challenges: sent })).status, 200);
      const code = await codeTo(server, `${username}@mail.example`);
      const checked = await write("PATCH", id, { checks: { otpEmail: { code } } });
      assert.equal(await opens(checked), true, "by a code that was sent");
    }

    // It may deliver codes to others by itself, and is then believed no more than with their password.
    const ada = await addPerson(server, { username: "grace" });
    await callUser(server, "AddOTPEmail", { userId: ada.userId });
    server.clock.now += 1000;
    const register = () => refusalOf(server, "RegisterTOTP", { userId: ada.userId }, loginToken);
    for (const challenges of [returned, linked]) {
      const { body: asked } = await begin(ada, { challenges });
      const code = asked.challenges?.otpEmail ?? (await codeTo(server, "grace@mail.example"));
      const checked = await write("PATCH", `/${asked.sessionId}`, { checks: { otpEmail: { code } } });
      assert.equal(await opens(checked), true);
      assert.equal(await register(), unproven, JSON.stringify(challenges));
    }
    const { body: waiting } = await begin(ada, { challenges: sent });
    const code = await codeTo(server, "grace@mail.example");
    assert.equal((await write("PATCH", `/${waiting.sessionId}`, { checks: { otpEmail: { code } } })).status, 200);
    await callUser(server, "RegisterTOTP", { userId: ada.userId }, loginToken);
  });

  test("a sign-in application serves a user who has just signed in with it (A14)", async (t) => {
    const server = await start(t);
    const { loginToken } = await setUpOidc(server);
    const ada = await addPerson(server, { username: "grace" });
    const { userId } = ada;
    const register = () => refusalOf(server, "RegisterTOTP", { userId }, loginToken);
    assert.equal(await register(), unproven, "before");
    await server.rest("POST", "/v2/sessions", {
      body: { checks: { user: { userId }, password: { password: ada.password } } },
    });
    assert.equal(await register(), unproven, "a session that another caller made");
    assert.equal((await proveThere(server, loginToken, ada)).status, 201);
    const { secret } = await callUser(server, "RegisterTOTP", { userId }, loginToken);
    await callUser(server, "VerifyTOTPRegistration", { userId, code: appCode(secret, server.clock.now) }, loginToken);
    assert.equal(await refusalOf(server, "AddOTPEmail", { userId }, loginToken), unproven, "half a sign-in");
    server.clock.now += 60_000;
    const totp = { code: appCode(secret, server.clock.now) };
    const checks = { user: { userId }, password: { password: ada.password }, totp };
    assert.equal((await server.rest("POST", "/v2/sessions", { token: loginToken, body: { checks } })).status, 201);
    await callUser(server, "AddOTPEmail", { userId }, loginToken);
    const chosen = { password: "another long sentence for it" };
    await callUser(server, "SetPassword", { userId, newPassword: chosen }, loginToken);
    server.clock.now += 11 * 60_000;
    assert.equal(await refusalOf(server, "RemoveOTPEmail", { userId }, loginToken), unproven, "long ago");
  });

  test("a sign-in application writes nothing after a sign-in that the settings do not accept (A14)", async (t) => {
    const server = await start(t);
    const { loginToken } = await setUpOidc(server);
    const organizationId = await addOrganization(server, "Forced");
    const keys = keysAt(server);
    const as = (method: string, body: object) => refusalOf(server, method, body, loginToken);
    const signInAs = async (person: Person, more: object = {}) => {
      const { userId, password } = person;
      const checks = { user: { userId }, password: { password }, ...more };
      const made = await server.rest("POST", "/v2/sessions", { token: loginToken, body: { checks } });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return made.body.sessionId as string;
    };
    const email = (name: string) => ({ email: `${name}@elsewhere.example`, returnCode: {} });

    const guarded = await addPerson(server, { username: "guarded", organizationId });
    const device = createAuthenticator({ origin: server.origin });
    await keys.register(guarded.userId, device, "Passkey");
    server.clock.now += 60_000;
    const sessionId = await signInAs(guarded);
    assert.equal(await as("RegisterTOTP", { userId: guarded.userId }), "done", "one factor is enough");
    for (const settings of [{ forceMfa: true }, { forceMfa: false, forceMfaLocalOnly: true }]) {
      await changeSettings(server, "login", settings, organizationId);
      const { userId } = guarded;
      assert.equal(await as("RegisterTOTP", { userId }), unproven);
      assert.equal(await as("RegisterPasskey", { userId, domain: "" }), unproven);
      assert.equal(await as("SetEmail", { userId, ...email("guarded") }), unproven);
    }
    const answered = await keys.answer(sessionId, device.get(await keys.challenge(sessionId)));
    assert.equal(answered.status, 200, JSON.stringify(answered.body));
    const { secret: added } = await callUser(server, "RegisterTOTP", { userId: guarded.userId }, loginToken);
    const code = appCode(added, server.clock.now);
    assert.equal(await as("VerifyTOTPRegistration", { userId: guarded.userId, code }), "done", "by both");
    assert.equal(await as("SetEmail", { userId: guarded.userId, ...email("guarded") }), "done");

    // Whom the settings demand a second factor of, and who has none, set it up first.
    const plain = await addPerson(server, { username: "plain", organizationId });
    const { userId } = plain;
    await signInAs(plain);
    assert.equal(await as("SetEmail", { userId, ...email("plain") }), unproven, "before it");
    const { secret } = await callUser(server, "RegisterTOTP", { userId }, loginToken);
    assert.equal(await as("VerifyTOTPRegistration", { userId, code: appCode(secret, server.clock.now) }), "done");
    assert.equal(await as("RegisterPasskey", { userId, domain: "" }), unproven, "a second one");
    server.clock.now += 60_000;
    await signInAs(plain, { totp: { code: appCode(secret, server.clock.now) } });
    assert.equal(await as("SetEmail", { userId, ...email("plain") }), "done");
  });

  test("a sign-in application appoints no administrator, not even as another one (A14)", async (t) => {
    const server = await start(t);
    const { loginToken } = await setUpOidc(server);
    const accomplice = await addRobot(server, "accomplice");
    const organizationId = await defaultOrganization(server);
    const create = async (roles: readonly string[], resource: object, token?: string) =>
      slugOf(
        await server.connect(
          "service.internal_permission.v2.InternalPermissionService/CreateAdministrator",
          { userId: accomplice, resource, roles },
          token === undefined ? {} : { token },
        ),
      );
    const beyond = "membership.role_beyond_own";
    const kept = await create(["IAM_LOGIN_CLIENT"], { instance: true }, loginToken);
    assert.equal(kept, beyond, "a position that outlives its own");
    assert.equal(await create(["ORG_OWNER"], { organizationId }, loginToken), beyond);
    const v1 = await server.rest("POST", "/admin/v1/members", {
      token: loginToken,
      body: { userId: accomplice, roles: ["IAM_LOGIN_CLIENT"] },
    });
    assert.equal(slugOf(v1), beyond, "in v1");
    assert.equal(await create(["IAM_LOGIN_CLIENT"], { instance: true }), "done", "an owner of the instance does");
  });

  test("an administrator's own proof lets a sign-in application replace the password, and nothing else (A14)", async (t) => {
    const server = await start(t);
    const { loginToken } = await setUpOidc(server);
    const owner = await addPerson(server, { username: "owner" });
    const { userId } = owner;
    await appoint(server, owner, { instance: true }, ["IAM_OWNER"]);
    assert.equal((await proveThere(server, loginToken, owner)).status, 201);
    assert.equal(await refusalOf(server, "RegisterTOTP", { userId }, loginToken), unproven);
    const newPassword = { password: "another long sentence for it" };
    assert.equal(await refusalOf(server, "SetPassword", { userId, newPassword }, loginToken), unproven);
    const currentPassword = owner.password;
    assert.equal(await refusalOf(server, "SetPassword", { userId, newPassword, currentPassword }, loginToken), "done");
    const other = { userId, newPassword: { password: "a third long sentence for it" } };
    const { verificationCode } = await callUser(server, "PasswordReset", { userId, returnCode: {} });
    assert.equal(await refusalOf(server, "SetPassword", { ...other, verificationCode }, loginToken), "done");
  });
});
