import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { sql } from "../../src/database/index.ts";
import { testCall } from "../support/operations/call.ts";
import { type Start, serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";

const service = "service.user.v2.UserService";

async function setUp(start: Start, t: TestContext) {
  const server = await start(t);
  const { instanceId, defaultOrganizationId: organizationId } = (await server.app.domain.findInstanceByHost(
    "localhost",
  )) ?? {
    instanceId: "",
    defaultOrganizationId: "",
  };
  const call = async (method: string, body: object, token?: string) => {
    const answer = await server.connect(`${service}/${method}`, body, token === undefined ? {} : { token });
    return answer;
  };
  return { server, instanceId, organizationId, call };
}

const jane = (organizationId: string, given: object = {}) => ({
  organizationId,
  human: {
    profile: { givenName: "Jane", familyName: "Doe", preferredLanguage: "de-ch", gender: "GENDER_FEMALE" },
    email: { email: "Jane@Home.example", isVerified: true },
    password: { password: "correct horse battery" },
    ...given,
  },
});

/** A service account with its token. */
async function account(server: TestServer, organizationId: string): Promise<{ id: string; token: string }> {
  const made = await server.rest("POST", "/v2/users/new", { body: { organizationId, machine: { name: "Bot" } } });
  const { body } = await server.rest("POST", `/v2/users/${made.body.id}/pats`, { body: {} });
  return { id: made.body.id, token: body.token };
}

serversInTurn((start, test, both) => {
  test("a user is made, read by id and found in the list, over REST and Connect alike", async (t) => {
    const { server, organizationId, call } = await setUp(start, t);
    const made = await server.rest("POST", "/v2/users/new", { body: jane(organizationId) });
    assert.equal(made.status, 200);
    assert.equal(made.body.creationDate, "2027-01-15T12:00:00Z");
    const { body } = await server.rest("GET", `/v2/users/${made.body.id}`);
    assert.deepEqual(body.user, {
      userId: made.body.id,
      details: {
        sequence: 1,
        creationDate: "2027-01-15T12:00:00Z",
        changeDate: "2027-01-15T12:00:00Z",
        resourceOwner: organizationId,
      },
      state: "USER_STATE_ACTIVE",
      username: "Jane@Home.example",
      loginNames: ["Jane@Home.example@doorward.localhost"],
      preferredLoginName: "Jane@Home.example@doorward.localhost",
      human: {
        userId: made.body.id,
        state: "USER_STATE_ACTIVE",
        username: "Jane@Home.example",
        loginNames: ["Jane@Home.example@doorward.localhost"],
        preferredLoginName: "Jane@Home.example@doorward.localhost",
        profile: {
          givenName: "Jane",
          familyName: "Doe",
          nickName: "",
          displayName: "Jane Doe",
          preferredLanguage: "de-CH",
          gender: "GENDER_FEMALE",
          avatarUrl: "",
        },
        email: {
          email: "Jane@Home.example",
          isVerified: true,
          proof: { method: "CONTACT_PROOF_METHOD_ADMINISTRATOR", level: "CONTACT_PROOF_LEVEL_INSTANCE" },
        },
        phone: { phone: "", isVerified: false },
        passwordChangeRequired: false,
        passwordChanged: "2027-01-15T12:00:00Z",
      },
    });
    const listed = await call("ListUsers", {
      queries: [{ emailQuery: { emailAddress: "jane@home.example", method: 1 } }],
    });
    assert.equal(listed.body.details.totalResult, "1");
    assert.deepEqual(listed.body.result[0].userId, made.body.id);
  });

  test("a refusal names the field as the request spells it", async (t) => {
    const { server, organizationId } = await setUp(start, t);
    const cases: [object, string, number][] = [
      [{ email: { email: "ﬁona@home.example" } }, "human.email.email", 400],
      [{ phone: { phone: "079" } }, "human.phone.phone", 400],
      [{ password: { password: "short" } }, "human.password.password", 400],
      [{ profile: { givenName: "Ja\u200bne", familyName: "Doe" } }, "human.profile.givenName", 400],
      [
        { profile: { givenName: "J", familyName: "D", preferredLanguage: "x-!" } },
        "human.profile.preferredLanguage",
        400,
      ],
      [{ totpSecret: "not base32" }, "human.totpSecret", 400],
    ];
    for (const [given, field, status] of cases) {
      const { status: answered, body } = await server.rest("POST", "/v2/users/new", {
        body: jane(organizationId, given),
      });
      assert.equal(answered, status, field);
      if (status === 400) assert.ok(body.message.includes(`(${field})`), body.message);
    }
    const untyped = await server.rest("POST", "/v2/users/new", { body: { organizationId, username: "x" } });
    assert.equal(untyped.status, 400);
    const absent = await server.rest("POST", "/v2/users/new", { body: jane("nowhere") });
    assert.equal(absent.status, 404);
  });

  test("a taken id and a taken username are conflicts", async (t) => {
    const { server, organizationId } = await setUp(start, t);
    const make = async (userId: string, username: string) =>
      (await server.rest("POST", "/v2/users/new", { body: { ...jane(organizationId), userId, username } })).status;
    assert.equal(await make("jane-1", "jane"), 200);
    assert.equal(await make("jane-1", "other"), 409);
    assert.equal(await make("jane-2", "JANE"), 409);
  });

  test("codes come back when they are asked for, and prove address, number and password", async (t) => {
    const { organizationId, call } = await setUp(start, t);
    const returned = { returnCode: {} };
    const made = await call("CreateUser", {
      organizationId,
      human: {
        profile: { givenName: "Jane", familyName: "Doe" },
        email: { email: "jane@home.example", ...returned },
        phone: { phone: "+41 79 123 45 67", ...returned },
      },
    });
    const userId = made.body.id;
    const verified = await call("VerifyEmail", { userId, verificationCode: made.body.emailCode });
    assert.equal(verified.status, 200);
    assert.equal((await call("VerifyEmail", { userId, verificationCode: made.body.emailCode })).status, 400);
    assert.equal((await call("VerifyPhone", { userId, verificationCode: made.body.phoneCode })).status, 200);
    const invited = await call("CreateInviteCode", { userId, ...returned });
    assert.equal((await call("VerifyInviteCode", { userId, verificationCode: invited.body.inviteCode })).status, 200);
    const reset = await call("PasswordReset", { userId, ...returned });
    const set = (password: string) =>
      call("SetPassword", { userId, newPassword: { password }, verificationCode: reset.body.verificationCode });
    assert.equal((await set("Password2026!")).body.details[0].debug.id, "user.password_common");
    assert.equal((await set("correct horse battery")).status, 200);
    const methods = await call("ListAuthenticationMethodTypes", { userId });
    assert.deepEqual(methods.body.authMethodTypes, ["AUTHENTICATION_METHOD_TYPE_PASSWORD"]);
    const { body } = await call("GetUserByID", { userId });
    // The caller read the codes instead of the user.
    const proof = { method: "CONTACT_PROOF_METHOD_ADMINISTRATOR", level: "CONTACT_PROOF_LEVEL_INSTANCE" };
    assert.deepEqual(body.user.human.email, { email: "jane@home.example", isVerified: true, proof });
    assert.deepEqual(body.user.human.phone, { phone: "+41791234567", isVerified: true, proof });
  });

  test("codes are made again and sent again, and only the newest counts", async (t) => {
    const { server, organizationId, call } = await setUp(start, t);
    const made = await call("CreateUser", {
      organizationId,
      human: {
        profile: { givenName: "Jane", familyName: "Doe" },
        email: { email: "jane@home.example", returnCode: {} },
        phone: { phone: "+41791234567", returnCode: {} },
      },
    });
    const { id: userId, emailCode, phoneCode } = made.body;
    const newest = async (recipient: string): Promise<string> => {
      const path = `/ui/dev/inbox?recipient=${encodeURIComponent(recipient)}`;
      const { body } = await server.rest("GET", path, { headers: { accept: "application/json" } });
      return body.messages[0].code;
    };
    const pass = () => (server.clock.now += 1000);
    const cases = [
      ["SendEmailCode", "VerifyEmail", "jane@home.example", emailCode],
      ["ResendEmailCode", "VerifyEmail", "jane@home.example", emailCode],
      ["ResendPhoneCode", "VerifyPhone", "+41791234567", phoneCode],
    ] as const;
    for (const [send, verify, recipient, former] of cases) {
      pass();
      const returned = await call(send, { userId, returnCode: {} });
      assert.match(returned.body.verificationCode, /^[A-Z2-9]{6}$/, `${send} ${JSON.stringify(returned.body)}`);
      pass();
      const sent = await call(send, { userId, sendCode: {} });
      assert.deepEqual([sent.status, sent.body.verificationCode], [200, undefined], send);
      const code = await newest(recipient);
      for (const dead of [former, returned.body.verificationCode]) {
        assert.equal((await call(verify, { userId, verificationCode: dead })).status, 400, send);
      }
      if (send === "SendEmailCode") continue;
      assert.equal((await call(verify, { userId, verificationCode: code })).status, 200, send);
      assert.notEqual((await call(send, { userId, returnCode: {} })).status, 200, `${send} of what is verified`);
    }
    await call("CreateInviteCode", { userId, returnCode: {} });
    assert.equal((await call("ResendInviteCode", { userId })).status, 400, "who got it back has it");
    pass();
    assert.equal((await call("CreateInviteCode", { userId, sendCode: {} })).status, 200);
    const first = await newest("jane@home.example");
    pass();
    const again = await call("ResendInviteCode", { userId });
    assert.equal(again.status, 200, JSON.stringify(again.body));
    const second = await newest("jane@home.example");
    assert.notEqual(first, second);
    assert.equal((await call("VerifyInviteCode", { userId, verificationCode: first })).status, 400);
    assert.equal((await call("VerifyInviteCode", { userId, verificationCode: second })).status, 200);
  });

  test("metadata is set, listed and deleted, and a second factor is put off", async (t) => {
    const { organizationId, call } = await setUp(start, t);
    const userId = (await call("CreateUser", jane(organizationId))).body.id;
    const metadata = ["a", "b", "c"].map((key) => ({ key, value: "AAE=" }));
    assert.ok((await call("SetUserMetadata", { userId, metadata })).body.setDate);
    const keys = async (filters: object[] = []) =>
      ((await call("ListUserMetadata", { userId, filters })).body.metadata ?? []).map(
        ({ key }: { key: string }) => key,
      );
    assert.deepEqual(await keys([{ keyFilter: { key: "b" } }]), ["b"]);
    assert.ok((await call("DeleteUserMetadata", { userId, keys: ["a", "c"] })).body.deletionDate);
    assert.deepEqual(await keys(), ["b"]);
    assert.equal((await call("DeleteUserMetadata", { userId, keys: ["a"] })).status, 200);
    const skipped = await call("HumanMFAInitSkipped", { userId });
    assert.equal(skipped.status, 200, JSON.stringify(skipped.body));
    const { body } = await call("GetUserByID", { userId });
    assert.equal(body.user.human.mfaInitSkipped, "2027-01-15T12:00:00Z");
    const machine = await call("CreateUser", { organizationId, machine: { name: "Bot" } });
    assert.equal((await call("HumanMFAInitSkipped", { userId: machine.body.id })).status, 400);
  });

  both(
    "the total size of a user's metadata is limited, and a page of the list ends with the pairs that fit",
    async (t) => {
      const { server, instanceId, organizationId, call } = await setUp(start, t);
      const userId = (await call("CreateUser", jane(organizationId))).body.id;
      const large = (count: number): string => Buffer.alloc(count, "x").toString("base64");
      const set = (key: string, value: string) => call("SetUserMetadata", { userId, metadata: [{ key, value }] });
      assert.equal((await set("a", large(499_000))).status, 200);
      const refused = await set("b", large(300_000));
      assert.equal(refused.body.code, "invalid_argument", JSON.stringify(refused.body).slice(0, 300));
      assert.equal(refused.body.details[0].debug.id, "metadata.too_large");
      assert.equal((await set("b", large(200_000))).status, 200);
      const listed = async (pagination: object) => {
        const { body } = await call("ListUserMetadata", { userId, pagination });
        return [(body.metadata ?? []).map(({ key }: { key: string }) => key), body.pagination.totalResult];
      };
      assert.deepEqual(await listed({ asc: true }), [["a", "b"], "2"]);
      // More than that was stored before there was a total.
      for (const key of ["c", "d", "e"]) {
        await server.app.domain.database.touch(testCall({ instanceId }), (tx) =>
          tx.run(sql`insert into metadata (instance_id, owner_type, owner_id, metadata_key, metadata_value, created_at, changed_at)
          select instance_id, owner_type, owner_id, ${key}, metadata_value, 1, 1 from metadata
          where owner_id = ${userId} and metadata_key = 'a'`),
        );
      }
      assert.deepEqual(await listed({}), [["e", "d", "c"], "5"]);
      assert.deepEqual(await listed({ offset: 3 }), [["b", "a"], "5"]);
      assert.equal((await set("f", "AAE=")).status, 400);
      assert.equal((await set("a", "AAE=")).status, 200, "less than before");
    },
  );

  test("an update changes everything that it names, or nothing", async (t) => {
    const { organizationId, call } = await setUp(start, t);
    const userId = (await call("CreateUser", jane(organizationId))).body.id;
    const bad = await call("UpdateUser", {
      userId,
      username: "new",
      human: { profile: { nickName: "Nick" }, phone: { phone: "none" } },
    });
    assert.equal(bad.status, 400);
    const before = (await call("GetUserByID", { userId })).body.user;
    assert.deepEqual([before.username, before.details.sequence], ["Jane@Home.example", "1"]);
    const good = await call("UpdateUser", {
      userId,
      username: "new",
      human: {
        profile: { nickName: "Nick" },
        email: { email: "other@home.example", isVerified: false },
        password: { password: { password: "another long passphrase", changeRequired: true } },
      },
      metadata: [{ key: "plan", value: "Z29sZA==" }],
    });
    assert.equal(good.status, 200);
    const { user } = (await call("GetUserByID", { userId })).body;
    assert.deepEqual(
      [user.username, user.human.profile.nickName, user.human.email, user.human.passwordChangeRequired],
      ["new", "Nick", { email: "other@home.example" }, true],
    );
    const metadata = await call("ListUserMetadata", { userId });
    assert.deepEqual(
      metadata.body.metadata.map(({ key, value }: Record<string, string>) => [key, value]),
      [["plan", "Z29sZA=="]],
    );
    const same = await call("UpdateUser", { userId, username: "new" });
    assert.equal(same.status, 200, "a write that changes nothing is fine");
  });

  both("states are changed over REST, and the wrong one is a failed precondition", async (t) => {
    const { server, organizationId, call } = await setUp(start, t);
    const userId = (await call("CreateUser", jane(organizationId))).body.id;
    const move = async (verb: string) =>
      (await server.rest("POST", `/v2/users/${userId}/${verb}`, { body: {} })).status;
    const state = async () => (await server.rest("GET", `/v2/users/${userId}`)).body.user.state;
    assert.equal(await move("lock"), 200);
    assert.equal(await state(), "USER_STATE_LOCKED");
    assert.equal(await move("lock"), 400);
    assert.equal(await move("unlock"), 200);
    assert.equal(await move("deactivate"), 200);
    assert.equal(await state(), "USER_STATE_INACTIVE");
    assert.equal(await move("reactivate"), 200);
    assert.equal((await server.rest("DELETE", `/v2/users/${userId}`)).status, 200);
    assert.equal((await server.rest("GET", `/v2/users/${userId}`)).status, 404);
    assert.equal((await server.rest("DELETE", `/v2/users/${userId}`)).status, 404);
  });

  test("a service account gets keys, secret and tokens; a token works until its account is deactivated (CVE-2024-47000)", async (t) => {
    const { server, organizationId } = await setUp(start, t);
    const { id, token } = await account(server, organizationId);
    const own = await server.rest("GET", `/v2/users/${id}`, { token });
    assert.equal(own.status, 200);
    assert.deepEqual(own.body.user.machine, {
      name: "Bot",
      description: "",
      hasSecret: false,
      accessTokenType: "ACCESS_TOKEN_TYPE_BEARER",
    });
    const key = await server.rest("POST", `/v2/users/${id}/keys`, { body: {}, token });
    const file = JSON.parse(Buffer.from(key.body.keyContent, "base64").toString());
    assert.deepEqual([file.type, file.userId, file.keyId], ["serviceaccount", id, key.body.keyId]);
    const secret = await server.rest("POST", `/v2/users/${id}/secret`, { body: {}, token });
    assert.match(secret.body.clientSecret, /^[A-Za-z2-9]{64}$/);
    const past = await server.rest("POST", `/v2/users/${id}/pats`, {
      body: { expirationDate: "2027-01-15T11:59:59Z" },
    });
    assert.equal(past.status, 400);
    const listed = await server.rest("POST", "/v2/users/pats/search", { body: {}, token });
    assert.equal(listed.body.pagination.totalResult, 1);
    assert.equal(listed.body.result[0].expirationDate, "9999-12-31T23:59:59Z");
    assert.ok(!JSON.stringify(listed.body).includes(token));
    await server.rest("POST", `/v2/users/${id}/deactivate`, { body: {} });
    assert.equal((await server.rest("GET", `/v2/users/${id}`, { token })).status, 401);
    await server.rest("POST", `/v2/users/${id}/reactivate`, { body: {} });
    assert.equal((await server.rest("GET", `/v2/users/${id}`, { token })).status, 200);
    await server.rest("DELETE", `/v2/users/${id}/pats/${listed.body.result[0].id}`);
    assert.equal((await server.rest("GET", `/v2/users/${id}`, { token })).status, 401);
  });

  test("a user without roles sees and changes only their own account", async (t) => {
    const { server, organizationId } = await setUp(start, t);
    const { id, token } = await account(server, organizationId);
    const other = (await server.rest("POST", "/v2/users/new", { body: jane(organizationId) })).body.id;
    const list = await server.rest("POST", "/v2/users", { body: {}, token });
    assert.deepEqual([list.body.details.totalResult, list.body.result[0].userId], [1, id]);
    assert.equal((await server.rest("GET", `/v2/users/${other}`, { token })).status, 404);
    assert.equal((await server.rest("GET", `/v2/users/${other}/authentication_methods`, { token })).status, 404);
    assert.equal((await server.rest("POST", `/v2/users/${other}/deactivate`, { body: {}, token })).status, 404);
    assert.equal((await server.rest("POST", `/v2/users/${id}/deactivate`, { body: {}, token })).status, 403);
    assert.equal((await server.rest("POST", "/v2/users/new", { body: jane(organizationId), token })).status, 403);
    assert.equal((await server.rest("POST", "/v2/users/new", { body: jane("nowhere"), token })).status, 403);
    assert.equal((await server.rest("GET", `/v2/users/${id}`, { token: null })).status, 401);
  });

  test("the deprecated methods to make and change a user still work", async (t) => {
    const { server, organizationId } = await setUp(start, t);
    const person = jane(organizationId).human;
    const made = await server.rest("POST", "/v2/users/human", {
      body: { ...person, organization: { orgDomain: "doorward.localhost" }, metadata: [{ key: "a", value: "Yg==" }] },
    });
    assert.equal(made.status, 200);
    assert.equal(made.body.details.resourceOwner, organizationId);
    const { userId } = made.body;
    const changed = await server.rest("PUT", `/v2/users/human/${userId}`, {
      body: {
        profile: { givenName: "Janet", familyName: "Doe" },
        email: { email: "janet@home.example", returnCode: {} },
      },
    });
    assert.equal(changed.status, 200);
    assert.match(changed.body.emailCode, /^[A-Z2-9]{6}$/);
    const email = await server.rest("POST", `/v2/users/${userId}/email`, {
      body: { email: "j@home.example", isVerified: true },
    });
    assert.equal(email.status, 200);
    const { human } = (await server.rest("GET", `/v2/users/${userId}`)).body.user;
    assert.deepEqual([human.profile.displayName, human.email.isVerified], ["Janet Doe", true]);
  });
});
