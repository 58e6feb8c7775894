import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeBase32 } from "../../src/base/base32.ts";
import { prepareUser, type Target } from "../../src/cli/user/checking/prepare-user.ts";
import { serverRules } from "../../src/cli/user/checking/server-rules.ts";
import { auth0Source } from "../../src/cli/user/sources/auth0.ts";
import { cognitoSource } from "../../src/cli/user/sources/cognito.ts";
import { firebaseSource, parseFirebaseHashing } from "../../src/cli/user/sources/firebase.ts";
import { keycloakSource } from "../../src/cli/user/sources/keycloak.ts";
import { readCredentials } from "../../src/cli/user/sources/keycloak-credentials.ts";
import { type SourceUser, toSourceUser, UserRefused } from "../../src/cli/user/sources/source.ts";

const salt = "ABEiM0RVZneImaq7zN3u/w==";
const digest = Buffer.alloc(64, 7).toString("base64");

const password = (algorithm: string, more: object = {}) => ({
  type: "password",
  secretData: JSON.stringify({ value: digest, salt }),
  credentialData: JSON.stringify({ hashIterations: 1000, algorithm, ...more }),
});

const otp = (data: object, value = "JBSWY3DPEHPK3PXP") => ({
  type: "otp",
  secretData: JSON.stringify({ value }),
  credentialData: JSON.stringify({ subType: "totp", digits: 6, period: 30, algorithm: "HmacSHA1", ...data }),
});

const fieldsOf = (losses: readonly { readonly field: string }[]): readonly string[] => losses.map(({ field }) => field);

test("credentials of Keycloak are read from exports of all versions", () => {
  const block = (size: number): string => Buffer.alloc(size, 7).toString("base64").replace(/=+$/, "");
  const start = "i=1000$ABEiM0RVZneImaq7zN3u/w$";
  for (const [algorithm, name, size] of [
    ["pbkdf2", "sha1", 20],
    ["pbkdf2-sha256", "sha256", 32],
    ["pbkdf2-sha512", "sha512", 64],
  ] as const) {
    assert.equal(readCredentials([password(algorithm)]).passwordHash, `$pbkdf2-${name}$${start}${block(size)}`);
  }
  // Before version 8.
  const old = { type: "password", hashedSaltedValue: digest, salt, hashIterations: 1000, algorithm: "pbkdf2-sha256" };
  assert.equal(readCredentials([old]).passwordHash, `$pbkdf2-sha256$${start}${block(32)}`);
  const parameters = { memory: ["7168"], type: ["d"], version: ["1.0"], parallelism: ["2"] };
  const argon2 = readCredentials([password("argon2", { additionalParameters: parameters })]).passwordHash;
  assert.ok(argon2.startsWith("$argon2d$v=16$m=7168,t=1000,p=2$"), argon2);
});

test("credentials that cannot be kept are losses without their secrets", () => {
  const hostile = [
    password("md5"),
    password("constructor"),
    password("__proto__"),
    password("argon2"),
    { ...password("pbkdf2"), secretData: "{" },
    { type: "password", value: "a password in clear text" },
    otp({ subType: "hotp" }),
    otp({ algorithm: "HmacSHA256" }),
    otp({ digits: 8 }),
    otp({ secretEncoding: "BASE64" }),
    { type: "webauthn", secretData: "{}" },
  ];
  const { passwordHash, totpSecret, losses } = readCredentials(hostile);
  const prepared = prepareUser(
    toSourceUser({ username: "ada", email: "ada@x.example", passwordHash, totpSecret, losses }),
    target,
    serverRules,
  );
  const told = JSON.stringify(prepared);
  for (const secret of ["hashedPassword", "totpSecret", "clear text", "JBSWY3DP", digest.slice(0, 20)]) {
    assert.ok(!told.includes(secret), secret);
  }
  assert.ok(prepared.losses.length >= hostile.length);

  const two = readCredentials([otp({ secretEncoding: "BASE32" }), otp({}, "other")]);
  assert.deepEqual([two.totpSecret, two.losses.length], ["JBSWY3DPEHPK3PXP", 1]);
  assert.equal(readCredentials([otp({}, "12345678901234567890")]).totpSecret, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
});

test("roles of Keycloak are those of the realm or of one client, without those that every user has", async () => {
  const record = {
    username: "ada",
    realmRoles: ["default-roles-acme", "offline_access", "uma_authorization", "buyer"],
    clientRoles: { shop: ["seller"], account: ["manage-account"] },
  };
  for (const [takesRoles, rolesOfClient, expected] of [
    [false, undefined, []],
    [true, undefined, ["buyer"]],
    [true, "shop", ["seller"]],
    [true, "constructor", []],
  ] as const) {
    const user = await keycloakSource({ takesRoles, rolesOfClient }).toUser(record);
    assert.deepEqual(user.roles, expected);
  }
});

test("base32 is that of RFC 4648", () => {
  const examples = { f: "MY", fo: "MZXQ", foo: "MZXW6", foob: "MZXW6YQ", fooba: "MZXW6YTB", foobar: "MZXW6YTBOI" };
  for (const [text, encoded] of Object.entries(examples)) assert.equal(encodeBase32(Buffer.from(text)), encoded);
});

test("users of Auth0 and Cognito whose password is missing lose it, and users who are blocked there are so here", async () => {
  const { toUser } = auth0Source({ findHash: () => Promise.resolve(undefined) });
  const withoutHash = await toUser({ user_id: "auth0|1", email: "a@x.example", blocked: true });
  assert.deepEqual([withoutHash.isDisabled, fieldsOf(withoutHash.losses)], [true, ["password"]]);
  const social = await toUser({
    user_id: "google-oauth2|1",
    identities: [{ provider: "google-oauth2", user_id: "1" }],
  });
  assert.deepEqual(social.losses, []);
  const custom = { algorithm: "pbkdf2", hash: { value: "$pbkdf2-sha256$i=1000$c2FsdA$x" } };
  assert.equal((await toUser({ id: "1", custom_password_hash: custom })).passwordHash, custom.hash.value);
  const salted = { algorithm: "sha256", hash: { value: "0123" }, salt: { value: "1" } };
  assert.deepEqual(fieldsOf((await toUser({ id: "1", custom_password_hash: salted })).losses), [
    "custom_password_hash",
  ]);

  for (const [status, isDisabled, losses] of [
    ["CONFIRMED", false, ["password"]],
    ["EXTERNAL_PROVIDER", false, []],
    ["COMPROMISED", true, ["password"]],
  ] as const) {
    const user = await cognitoSource.toUser({ Username: "u", Attributes: [], Enabled: true, UserStatus: status });
    assert.deepEqual([user.isDisabled, fieldsOf(user.losses)], [isDisabled, losses], status);
  }
});

test("a hash of Auth0 is for users of its own database, not for others with the same id", async () => {
  const asked: string[] = [];
  const { toUser } = auth0Source({
    findHash: (id) => {
      asked.push(id);
      return Promise.resolve("$2b$04$hash");
    },
  });
  const hashOf = async (record: Parameters<typeof toUser>[0]): Promise<string> => (await toUser(record)).passwordHash;
  const identities = (...given: (readonly [provider: string, id: string])[]) =>
    given.map(([provider, user_id]) => ({ provider, user_id, connection: provider }));
  assert.equal(await hashOf({ user_id: "github|1001", identities: identities(["github", "1001"]) }), "");
  assert.equal(await hashOf({ user_id: "github|1001" }), "");
  assert.deepEqual(asked, []);
  assert.equal(await hashOf({ user_id: "auth0|1001" }), "$2b$04$hash");
  assert.equal(await hashOf({ id: "1002" }), "$2b$04$hash");
  const linked = identities(["github", "1001"], ["auth0", "1003"]);
  assert.equal(await hashOf({ user_id: "github|1001", identities: linked }), "$2b$04$hash");
  assert.deepEqual(asked, ["1001", "1002", "1003"]);
});

test("what users of Cognito write themselves is no username, and passes for no attribute of the pool", async () => {
  const userOf = (Username: string, attributes: Readonly<Record<string, string>>) =>
    cognitoSource.toUser({
      Username,
      Attributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
    });
  const mallory = await userOf("mallory", { sub: "1", preferred_username: "bob", profile: "admin" });
  assert.equal(mallory.username, "mallory");
  assert.deepEqual(mallory.metadata, { preferred_username: "bob", profile: "admin" });
  const carl = await userOf("2f1b4c1e-0000-4000-8000-000000000001", {
    preferred_username: "bob",
    "custom:profile": "clerk",
    "custom:plan": "gold",
  });
  assert.equal(carl.username, "");
  assert.deepEqual(carl.metadata, { preferred_username: "bob", "custom:profile": "clerk", plan: "gold" });
});

test("the former id of a user is the source's word, not what the user's metadata says", () => {
  const { request, losses } = prepareUser(
    toSourceUser({ id: "a/b", email: "ada@x.example", metadata: { "doorward.import.id": "c", plan: "gold" } }),
    target,
    serverRules,
  );
  // biome-ignore lint/suspicious/noExplicitAny: requests are JSON.
  const metadata = (request as any).metadata.map(({ key, value }: { key: string; value: string }) => [
    key,
    Buffer.from(value, "base64").toString(),
  ]);
  assert.deepEqual(metadata, [
    ["plan", "gold"],
    ["doorward.import.id", "a/b"],
  ]);
  assert.ok(losses.some(({ why }) => why === "the key is reserved: doorward.import.id"));
});

test("hashes of Firebase need the parameters that belong to them", async () => {
  const text =
    '{"hash_config": {"base64_signer_key": "AAAA", "base64_salt_separator": "Bw==", "rounds": 8, "mem_cost": 14}}';
  const hashing = parseFirebaseHashing(text);
  assert.deepEqual([hashing?.rounds, hashing?.memoryCost, hashing?.signerKey.length], [8, 14, 3]);
  assert.equal(parseFirebaseHashing("rounds: 8"), undefined);
  for (const [given, record] of [
    [undefined, { passwordHash: "AAAA", salt: "AAAA" }],
    [hashing, { passwordHash: "AAAAAAAA", salt: "AAAA" }],
    [hashing, { passwordHash: "AAAA" }],
  ] as const) {
    const user = await firebaseSource(given).toUser({ localId: "1", ...record });
    assert.deepEqual([user.passwordHash, fieldsOf(user.losses)], ["", ["passwordHash"]]);
  }
});

const target: Target = {
  organizationId: "1",
  hasNewIds: false,
  projectId: undefined,
  roleKeys: new Set(),
  providers: new Map(),
  emailDomain: "users.example",
};

test("what a user lacks is made up and told, and what is invalid is told or refused", () => {
  const prepare = (known: Partial<SourceUser>) => prepareUser(toSourceUser(known), target, serverRules);
  // biome-ignore lint/suspicious/noExplicitAny: requests are JSON.
  const requestOf = (known: Partial<SourceUser>): any => prepare(known).request;
  assert.equal(requestOf({ username: "jürgen.k" }).human.email.email, "j-rgen-k@users.example");
  assert.equal(requestOf({ username: "日本", id: "7" }).human.email.email, "7@users.example");
  assert.throws(() => prepare({ username: "日本" }), UserRefused);
  assert.equal(requestOf({ username: "a", isEmailVerified: true }).human.email.isVerified, false, "not the user's own");
  const profile = (known: Partial<SourceUser>) => requestOf({ email: "ada@x.example", ...known }).human.profile;
  assert.deepEqual(profile({ displayName: "Ada King Lovelace" }), {
    givenName: "Ada",
    familyName: "King Lovelace",
    displayName: "Ada King Lovelace",
  });
  assert.deepEqual(profile({ givenName: "x".repeat(201), familyName: "\u202e" }), {
    givenName: "ada",
    familyName: "-",
  });
  assert.equal(profile({ language: "en_us" }).preferredLanguage, "en-US");
  const odd = prepare({
    id: "a/b",
    email: "ada@x.example",
    givenName: "A",
    familyName: "L",
    phone: "079 123",
    language: "not a tag",
    metadata: { ["k".repeat(201)]: "v", ok: "v", large: "x".repeat(800_000) },
    roles: ["r"],
    links: [{ provider: "google", userId: "1", username: undefined }],
  });
  assert.equal(odd.id, undefined);
  assert.deepEqual(fieldsOf(odd.losses), ["id", "roles", "phone", "links", "metadata", "metadata", "language"]);
  for (const email of ["no address", "a@b@c.example", "x".repeat(201), "a\u200b@x.example"]) {
    assert.throws(() => prepare({ email }), UserRefused, email);
  }
});
