import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import { test } from "node:test";
import { hashSecret } from "../../src/base/secret.ts";
import { sql } from "../../src/database/index.ts";
import {
  addPersonalAccessToken,
  addUserKey,
  findPersonalAccessToken,
  listPersonalAccessTokens,
  listUserKeys,
  removePersonalAccessToken,
  removeSecret,
  removeUserKey,
  setSecret,
} from "../../src/domain/credential/index.ts";
import { changeUserState, findServiceAccount, listUserVerificationKeys } from "../../src/domain/user/index.ts";
import { updateUser } from "../../src/domain/user-management/index.ts";
import { getUser } from "../../src/domain/user-search/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { testTime } from "../support/operations/fixtures.ts";
import { makeUserFixtures, outcomeOf, type UserFixtures } from "./support.ts";

const farFuture = Date.UTC(9999, 11, 31, 23, 59, 59);
const list = { page: { offset: 0, limit: 100 }, isDescending: false, by: "createdAt", filters: [] } as const;

const keyPem = (): string =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ type: "spki", format: "pem" }).toString();

const keyIds = async (
  fixtures: UserFixtures,
  userId: string,
  now = testTime,
  instanceId = "instance-1",
): Promise<unknown[]> =>
  (await listUserVerificationKeys(fixtures.database.read, instanceId, { userId, keyId: undefined, now })).map(
    ({ keyId }) => keyId,
  );

eachEngine((open) => {
  test("a key file is answered once and its public half verifies what it signs", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const { userId } = await fixtures.user(await fixtures.organization("Acme"));
    const { keyId, keyFile } = await addUserKey(fixtures, fixtures.owner, { userId });
    const file = JSON.parse(keyFile?.reveal() ?? "{}");
    assert.deepEqual(Object.keys(file), ["type", "keyId", "key", "expirationDate", "userId"]);
    assert.deepEqual(
      { ...file, key: "" },
      { type: "serviceaccount", keyId, key: "", expirationDate: "9999-12-31T23:59:59.000Z", userId },
    );
    assert.match(file.key, /^-----BEGIN RSA PRIVATE KEY-----\n/);
    const [stored] = await listUserVerificationKeys(fixtures.database.read, "instance-1", {
      userId,
      keyId: undefined,
      now: testTime,
    });
    assert.equal(stored?.keyId, keyId);
    const publicKey = stored?.key ?? createPublicKey("");
    assert.equal(publicKey.asymmetricKeyDetails?.modulusLength, 2048);
    const message = Buffer.from("hello");
    assert.ok(verify("sha256", message, publicKey, sign("sha256", message, file.key)));
    const rows = await fixtures.database.read.all(sql`select * from user_keys where instance_id = ${"instance-1"}`);
    const events = await fixtures.database.read.all(
      sql`select payload from events where instance_id = ${"instance-1"}`,
    );
    assert.doesNotMatch(JSON.stringify([rows, events]), /PRIVATE/);
  });

  test("the caller's public key is stored without its private half; a private one and a weak one are refused", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const { userId } = await fixtures.user(await fixtures.organization("Acme"));
    const publicKey = keyPem();
    const added = await addUserKey(fixtures, fixtures.owner, { userId, publicKey });
    assert.equal(added.keyFile, undefined);
    const [stored] = await listUserVerificationKeys(fixtures.database.read, "instance-1", {
      userId,
      keyId: undefined,
      now: testTime,
    });
    assert.equal(stored?.key.export({ type: "spki", format: "pem" }), publicKey);
    const pair = generateKeyPairSync("rsa", { modulusLength: 1024 });
    const weak = pair.publicKey.export({ type: "spki", format: "pem" }).toString();
    const secret = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    for (const [text, slug] of [
      [weak, "public_key.weak"],
      [secret, "public_key.private"],
      ["ssh-rsa AAAA", "public_key.malformed"],
    ] as const) {
      const outcome = await outcomeOf(addUserKey(fixtures, fixtures.owner, { userId, publicKey: text }));
      assert.equal(outcome, `invalid_argument ${slug}`);
    }
  });

  test("an expired or removed key is found nowhere, to the millisecond (CVE-2025-31123)", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const { userId } = await fixtures.user(await fixtures.organization("Acme"));
    const expiresAt = testTime + 1000;
    const { keyId } = await addUserKey(fixtures, fixtures.owner, { userId, expiresAt, publicKey: keyPem() });
    assert.deepEqual(await keyIds(fixtures, userId, expiresAt - 1), [keyId]);
    assert.deepEqual(await keyIds(fixtures, userId, expiresAt), []);
    assert.deepEqual(await keyIds(fixtures, userId, testTime, "instance-2"), []);
    await removeUserKey(fixtures, fixtures.owner, { userId, keyId });
    assert.deepEqual(await keyIds(fixtures, userId), []);
    await removeUserKey(fixtures, fixtures.owner, { userId, keyId });
    for (const past of [testTime, testTime - 1, 0]) {
      assert.equal(
        await outcomeOf(addUserKey(fixtures, fixtures.owner, { userId, expiresAt: past, publicKey: keyPem() })),
        "invalid_argument user.expiry_past",
      );
    }
  });

  test("a key of one account cannot be removed through another", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const organization = await fixtures.organization("Acme");
    const [mine, other] = [await fixtures.user(organization), await fixtures.user(organization)];
    const { keyId } = await addUserKey(fixtures, fixtures.owner, { userId: mine.userId, publicKey: keyPem() });
    await removeUserKey(fixtures, fixtures.owner, { userId: other.userId, keyId });
    assert.deepEqual(await keyIds(fixtures, mine.userId), [keyId]);
  });

  test("a personal access token is shown once, stored hashed and found by its hash with the states that decide", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const organization = await fixtures.organization("Acme");
    const { userId } = await fixtures.user(organization);
    const { token, tokenId, expiresAt } = await addPersonalAccessToken(fixtures, fixtures.owner, { userId });
    assert.match(token.reveal(), /^dwp_[\w-]{43}$/);
    assert.equal(expiresAt, farFuture);
    const find = () => findPersonalAccessToken(fixtures.database.read, "instance-1", { tokenHash: hashSecret(token) });
    const found = await find();
    assert.deepEqual(
      [found?.tokenId, found?.userId, found?.userState, found?.organizationState],
      [tokenId, userId, "active", "active"],
    );
    assert.equal(
      await findPersonalAccessToken(fixtures.database.read, "instance-2", { tokenHash: hashSecret(token) }),
      undefined,
    );
    await changeUserState(fixtures, fixtures.owner, { userId, move: "deactivate" });
    assert.equal((await find())?.userState, "inactive");
    const everything = await Promise.all(
      ["personal_access_tokens", "events"].map((table) =>
        fixtures.database.read.all(
          table === "events"
            ? sql`select * from events where instance_id = ${"instance-1"}`
            : sql`select * from personal_access_tokens where instance_id = ${"instance-1"}`,
        ),
      ),
    );
    const text = JSON.stringify(everything, (_, value) => (typeof value === "bigint" ? String(value) : value));
    assert.ok(!text.includes(token.reveal()));
    await removePersonalAccessToken(fixtures, fixtures.owner, { userId, tokenId });
    assert.equal(await find(), undefined);
  });

  test("human users get no keys, secrets and personal access tokens", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const { userId } = await fixtures.person(await fixtures.organization("Acme"));
    for (const work of [
      () => addUserKey(fixtures, fixtures.owner, { userId, publicKey: keyPem() }),
      () => addPersonalAccessToken(fixtures, fixtures.owner, { userId }),
      () => setSecret(fixtures, fixtures.owner, { userId }),
      () => updateUser(fixtures, fixtures.owner, { userId, machine: { name: "Bot" } }),
    ]) {
      assert.equal(await outcomeOf(work()), "failed_precondition user.not_machine");
    }
  });

  test("a new secret replaces the one before; the account is found by username and login name", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const organization = await fixtures.organization("Acme");
    const { userId } = await fixtures.user(organization, "Robot");
    const hashOf = async (clientId: string) =>
      (await findServiceAccount(fixtures.database.read, "instance-1", clientId))?.secretHash;
    const first = await setSecret(fixtures, fixtures.owner, { userId });
    const second = await setSecret(fixtures, fixtures.owner, { userId });
    assert.ok(Buffer.from(second.clientSecret.reveal(), "base64url").length >= 24, "192 bits");
    for (const clientId of ["robot", "ROBOT@acme.example.com"]) {
      assert.equal(await hashOf(clientId), hashSecret(second.clientSecret), clientId);
      assert.notEqual(await hashOf(clientId), hashSecret(first.clientSecret), clientId);
    }
    assert.equal(await hashOf((await fixtures.person(organization)).username), undefined, "a person is no client");
    await removeSecret(fixtures, fixtures.owner, { userId });
    assert.equal(await hashOf("robot"), undefined);
    await removeSecret(fixtures, fixtures.owner, { userId });
    const user = await getUser(fixtures, fixtures.owner, { userId });
    assert.equal(user.kind === "machine" && user.hasSecret, false);
  });

  test("an account may keep its own credentials; other callers may not without permission", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const organization = await fixtures.organization("Acme");
    const user = await fixtures.user(organization);
    const add = (call: Parameters<typeof addPersonalAccessToken>[1]) =>
      outcomeOf(addPersonalAccessToken(fixtures, call, { userId: user.userId }));
    const other = await fixtures.user(organization);
    assert.equal(await add(fixtures.self(user)), "done");
    assert.equal(await add(fixtures.manager(organization)), "done");
    assert.equal(await add(fixtures.self(other)), "not_found user.not_found");
    assert.equal(await add(fixtures.manager(await fixtures.organization("Other"))), "not_found user.not_found");
  });

  test("user managers cannot take over users who administer more than they do", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const organization = await fixtures.organization("Acme");
    const { organizationId } = organization;
    const owner = await fixtures.user(organization, "owner");
    const appoint = (level: string, resourceId: string, role: string) =>
      fixtures.database.touch(fixtures.owner, async (tx) => {
        await tx.run(sql`insert into memberships (instance_id, level, resource_id, user_id, organization_id, sequence, created_at,
          changed_at) values (${tx.instanceId}, ${level}, ${resourceId}, ${owner.userId}, ${organizationId}, 1, 1, 1)`);
        await tx.run(sql`insert into membership_roles (instance_id, level, resource_id, user_id, role)
          values (${tx.instanceId}, ${level}, ${resourceId}, ${owner.userId}, ${role})`);
      });
    const add = (role: string, level: "instance" | "organization") => {
      const call = fixtures.as([{ role, level, resourceId: level === "instance" ? "" : organizationId }]);
      return outcomeOf(addPersonalAccessToken(fixtures, call, { userId: owner.userId }));
    };
    const refused = "permission_denied user.administers_more";
    assert.equal(await add("ORG_USER_MANAGER", "organization"), "done", "while the user has no role");
    await appoint("organization", organizationId, "ORG_OWNER");
    assert.equal(await add("ORG_USER_MANAGER", "organization"), refused);
    assert.equal(await add("ORG_OWNER", "organization"), "done");
    assert.equal(await add("IAM_USER_MANAGER", "instance"), refused);
    await appoint("instance", "instance-1", "IAM_OWNER");
    assert.equal(await add("ORG_OWNER", "organization"), refused);
    assert.equal(await add("IAM_OWNER", "instance"), "done");
    assert.equal(await add("IAM_LOGIN_CLIENT", "instance"), "permission_denied user.login_client_unproven");
  });

  test("lists show the caller's own keys and tokens and those that the caller may read, with a correct total and never a value", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const [acme, other] = [await fixtures.organization("Acme"), await fixtures.organization("Other")];
    const users = [await fixtures.user(acme), await fixtures.user(acme), await fixtures.user(other)];
    const tokens: string[] = [];
    for (const { userId } of users) {
      for (const expiresAt of [testTime + 1000, testTime + 2000]) {
        await addUserKey(fixtures, fixtures.owner, { userId, expiresAt, publicKey: keyPem() });
        const { token } = await addPersonalAccessToken(fixtures, fixtures.owner, { userId, expiresAt });
        tokens.push(token.reveal());
      }
    }
    for (const read of [listUserKeys, listPersonalAccessTokens]) {
      const all = await read(fixtures, fixtures.owner, list);
      assert.equal(all.total, 6);
      const mine = await read(fixtures, fixtures.self(users[0] ?? { userId: "", organizationId: "" }), list);
      assert.deepEqual([mine.total, [...new Set(mine.rows.map(({ userId }) => userId))]], [2, [users[0]?.userId]]);
      const managed = await read(fixtures, fixtures.manager(acme), { ...list, page: { offset: 1, limit: 2 } });
      assert.deepEqual([managed.total, managed.rows.length], [4, 2]);
      const foreign = await read(fixtures, fixtures.as([], { instanceId: "instance-2" }), list);
      assert.deepEqual(foreign, { rows: [], total: 0 });
      const [first] = all.rows;
      const filtered = async (filter: (typeof list.filters)[number] | object) =>
        (await read(fixtures, fixtures.owner, { ...list, filters: [filter as never] })).total;
      assert.equal(await filtered({ by: "id", value: first?.id }), 1);
      assert.equal(await filtered({ by: "userId", value: users[2]?.userId }), 2);
      assert.equal(await filtered({ by: "organizationId", value: acme.organizationId }), 4);
      assert.equal(await filtered({ by: "expiresAt", method: "greater", instant: testTime + 1000 }), 3);
      assert.equal(await filtered({ by: "createdAt", method: "less", instant: testTime }), 0);
      for (const by of ["createdAt", "id", "userId", "organizationId", "expiresAt"] as const) {
        const ids = async (isDescending: boolean) =>
          (await read(fixtures, fixtures.owner, { ...list, by, isDescending })).rows.map(({ id }) => id);
        assert.deepEqual(await ids(true), (await ids(false)).reverse(), by);
      }
      for (const token of tokens) assert.ok(!JSON.stringify(all).includes(token));
    }
  });
});
