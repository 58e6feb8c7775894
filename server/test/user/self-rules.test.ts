import assert from "node:assert/strict";
import { test } from "node:test";
import type { Call } from "../../src/call/index.ts";
import { removePhone, resendPhoneCode, sendEmailCode, setEmail, setPhone } from "../../src/domain/contact/index.ts";
import { addOtp } from "../../src/domain/factor/add-otp.ts";
import { generateRecoveryCodes } from "../../src/domain/factor/generate-recovery-codes.ts";
import { confirmOtp, startOtp } from "../../src/domain/factor/index.ts";
import { registerTotp } from "../../src/domain/factor/register-totp.ts";
import { removeFactor } from "../../src/domain/factor/remove-factor.ts";
import { createInvitation } from "../../src/domain/invitation/index.ts";
import { requestPasswordReset, setPassword } from "../../src/domain/password/index.ts";
import { listAuthenticationMethods } from "../../src/domain/sign-in-method/index.ts";
import { listSecondFactors } from "../../src/domain/sign-in-method/list-second-factors.ts";
import {
  changeUserState,
  deleteUserMetadata,
  type HumanUser,
  listUserMetadata,
  setUserMetadata,
  skipSecondFactor,
} from "../../src/domain/user/index.ts";
import { updateUser } from "../../src/domain/user-management/index.ts";
import { getUser } from "../../src/domain/user-search/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { makeUserFixtures, outcomeOf, password, type UserFixtures } from "./support.ts";

type Work = (fixtures: UserFixtures, call: Call, user: HumanUser) => Promise<unknown>;

const page = { page: { offset: 0, limit: 10 }, isDescending: false } as const;
const next = { password: "another long passphrase", isChangeRequired: false } as const;
const message = { by: "message" } as const;
const email = "new@mail.example";
const number = "+41791234567";

const reads: Record<string, Work> = {
  get: (fixtures, call, { userId }) => getUser(fixtures, call, { userId }),
  "list authentication methods": (fixtures, call, { userId }) => listAuthenticationMethods(fixtures, call, { userId }),
  "list second factors": (fixtures, call, { userId }) =>
    listSecondFactors(fixtures, call, { userId, kinds: [], states: [] }),
  "list metadata": (fixtures, call, { userId }) =>
    listUserMetadata(fixtures, call, { userId, keyFilters: [], ...page }),
};

const ownWrites: Record<string, Work> = {
  "change the profile": (fixtures, call, { userId }) =>
    updateUser(fixtures, call, { userId, human: { profile: { nickName: "Nick" } } }),
  "change the username": (fixtures, call, { userId }) =>
    updateUser(fixtures, call, { userId, username: `${userId}-new` }),
  "change the email address": (fixtures, call, { userId }) =>
    setEmail(fixtures, call, { userId, address: email, verification: message }),
  "change the email address in an update": (fixtures, call, { userId }) =>
    updateUser(fixtures, call, { userId, human: { email: { address: email, verification: message } } }),
  "change the email address without a code": (fixtures, call, { userId }) =>
    setEmail(fixtures, call, { userId, address: email, verification: { by: "nothing" } }),
  "ask for another email code": (fixtures, call, { userId }) =>
    sendEmailCode(fixtures, call, { userId, delivery: message, isAgain: false }),
  "change the phone number": (fixtures, call, { userId }) =>
    setPhone(fixtures, call, { userId, number, verification: message }),
  "ask for another phone code": (fixtures, call, { userId }) =>
    resendPhoneCode(fixtures, call, { userId, delivery: message }),
  "remove the phone number": (fixtures, call, { userId }) => removePhone(fixtures, call, { userId }),
  "change the password with the current one": (fixtures, call, { userId }) =>
    setPassword(fixtures, call, { userId, password: next, proof: { by: "current_password", password } }),
  "be sent a password reset": (fixtures, call, { userId }) =>
    requestPasswordReset(fixtures, call, { userId, channel: "sms", delivery: message }),
  "remove an authenticator app": (fixtures, call, { userId }) => removeFactor(fixtures, call, { userId, kind: "totp" }),
  "turn off one-time mails": (fixtures, call, { userId }) =>
    removeFactor(fixtures, call, { userId, kind: "otp_email" }),
  "turn off one-time texts": (fixtures, call, { userId }) => removeFactor(fixtures, call, { userId, kind: "otp_sms" }),
  "put a second factor off": (fixtures, call, { userId }) => skipSecondFactor(fixtures, call, { userId }),
};

// Adding to what a user signs in with is more than managing the user.
const credentials: Record<string, Work> = {
  "start with an authenticator app": (fixtures, call, { userId }) => registerTotp(fixtures, call, { userId }),
  "turn on one-time mails": (fixtures, call, { userId }) => addOtp(fixtures, call, { userId, kind: "otp_email" }),
  "turn on one-time texts": (fixtures, call, { userId }) => addOtp(fixtures, call, { userId, kind: "otp_sms" }),
  "be sent the first of one-time mails": (fixtures, call, { userId }) =>
    startOtp(fixtures, call, { userId, kind: "otp_email" }),
  "turn on one-time texts with a code": (fixtures, call, { userId }) =>
    confirmOtp(fixtures, call, { userId, kind: "otp_sms", code: "12345678" }),
  "make means of recovery": (fixtures, call, { userId }) => generateRecoveryCodes(fixtures, call, { userId, count: 1 }),
  "remove means of recovery": (fixtures, call, { userId }) =>
    removeFactor(fixtures, call, { userId, kind: "recovery_codes" }),
};

const othersWrites: Record<string, Work> = {
  "declare an email address verified": (fixtures, call, { userId }) =>
    setEmail(fixtures, call, { userId, address: email, verification: { by: "trust" } }),
  "declare the own email address verified": (fixtures, call, user) =>
    setEmail(fixtures, call, { userId: user.userId, address: user.email.address, verification: { by: "trust" } }),
  "declare an email address verified in an update": (fixtures, call, { userId }) =>
    updateUser(fixtures, call, { userId, human: { email: { address: email, verification: { by: "trust" } } } }),
  "have an email code returned": (fixtures, call, { userId }) =>
    setEmail(fixtures, call, { userId, address: email, verification: { by: "return" } }),
  "have an email code returned in an update": (fixtures, call, { userId }) =>
    updateUser(fixtures, call, { userId, human: { email: { address: email, verification: { by: "return" } } } }),
  "have another email code returned": (fixtures, call, { userId }) =>
    sendEmailCode(fixtures, call, { userId, delivery: { by: "return" }, isAgain: true }),
  "declare a phone number verified": (fixtures, call, { userId }) =>
    setPhone(fixtures, call, { userId, number, verification: { by: "trust" } }),
  "declare a phone number verified in an update": (fixtures, call, { userId }) =>
    updateUser(fixtures, call, { userId, human: { phone: { number, verification: { by: "trust" } } } }),
  "have a phone code returned": (fixtures, call, { userId }) =>
    setPhone(fixtures, call, { userId, number, verification: { by: "return" } }),
  "have another phone code returned": (fixtures, call, { userId }) =>
    resendPhoneCode(fixtures, call, { userId, delivery: { by: "return" } }),
  deactivate: (fixtures, call, { userId }) => changeUserState(fixtures, call, { userId, move: "deactivate" }),
  lock: (fixtures, call, { userId }) => changeUserState(fixtures, call, { userId, move: "lock" }),
  "import a password hash": (fixtures, call, { userId }) =>
    setPassword(fixtures, call, {
      userId,
      password: { hash: "$2b$10$Q7rFnVlqjM1jI3cQzYyK6eJ3rQ4b2v8sVQm2mRkWQXQ7kD1uYQb1S", isChangeRequired: false },
      proof: { by: "current_password", password },
    }),
  "set metadata": (fixtures, call, { userId }) =>
    setUserMetadata(fixtures, call, { userId, metadata: [{ key: "plan", value: Buffer.from("gold") }] }),
  "set metadata in an update": (fixtures, call, { userId }) =>
    updateUser(fixtures, call, { userId, metadata: [{ key: "plan", value: Buffer.from("gold") }] }),
  "remove metadata": (fixtures, call, { userId }) => deleteUserMetadata(fixtures, call, { userId, keys: ["plan"] }),
};

// No user sets their own password without a proof, whatever they may do to others.
const neverSelf: Record<string, Work> = {
  "have a password reset code returned": (fixtures, call, { userId }) =>
    requestPasswordReset(fixtures, call, { userId, channel: "email", delivery: { by: "return" } }),
  "set a password without a proof": (fixtures, call, { userId }) =>
    setPassword(fixtures, call, { userId, password: next, proof: { by: "permission" } }),
  "set a password without a proof in an update": (fixtures, call, { userId }) =>
    updateUser(fixtures, call, { userId, human: { password: { password: next, proof: { by: "permission" } } } }),
};

type Kind = "read" | "own" | "credential" | "others" | "never self";
const allowed: Record<string, readonly Kind[]> = {
  self: ["read", "own", "credential"],
  "self with user.write": ["read", "own", "credential", "others"],
  manager: ["read", "own", "others", "never self"],
  owner: ["read", "own", "credential", "others", "never self"],
  viewer: ["read"],
  "owner of another organization": [],
  "user of the same organization": [],
  "owner of another instance": [],
  nobody: [],
};

const refusals: Record<string, string> = {
  self: "permission_denied",
  "self with user.write": "permission_denied",
  manager: "permission_denied",
  viewer: "permission_denied",
  "owner of another organization": "not_found",
  "user of the same organization": "not_found",
  "owner of another instance": "not_found",
  nobody: "unauthenticated",
};

eachEngine((open) => {
  test("what callers may do to a user, and to themselves (CVE-2026-27946, CVE-2026-54693)", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const organization = await fixtures.organization("Acme");
    const other = await fixtures.organization("Other");
    const callers: Record<string, (user: HumanUser) => Call> = {
      self: (user) => fixtures.self(user),
      "self with user.write": ({ userId }) => fixtures.manager(organization, { userId }),
      manager: () => fixtures.manager(organization),
      owner: () => fixtures.as([{ role: "ORG_OWNER", level: "organization", resourceId: organization.organizationId }]),
      viewer: () =>
        fixtures.as([{ role: "ORG_OWNER_VIEWER", level: "organization", resourceId: organization.organizationId }]),
      "owner of another organization": () =>
        fixtures.as([{ role: "ORG_OWNER", level: "organization", resourceId: other.organizationId }]),
      "user of the same organization": () => fixtures.as([], { organizationId: organization.organizationId }),
      "owner of another instance": () =>
        fixtures.as([{ role: "IAM_OWNER", level: "instance" }], { instanceId: "instance-2" }),
      nobody: () => {
        const { caller: _, ...call } = fixtures.owner;
        return call;
      },
    };
    const kinds: [Kind, Record<string, Work>][] = [
      ["read", reads],
      ["own", ownWrites],
      ["credential", credentials],
      ["others", othersWrites],
      ["never self", neverSelf],
    ];
    const hash = await fixtures.passwordHasher.hash(password);
    for (const [kind, works] of kinds) {
      for (const [name, work] of Object.entries(works)) {
        for (const [caller, callOf] of Object.entries(callers)) {
          const isPhone = name.includes("another phone code");
          const user = await fixtures.person(organization, {
            email: { address: `${fixtures.newId()}@mail.example`, isVerified: !name.includes("code") },
            phone: { number: "+41790000000", isVerified: !isPhone },
            password: { hash, isChangeRequired: false },
          });
          // "Another" code needs one before.
          if (isPhone) {
            await setPhone(fixtures, fixtures.owner, { ...user, number, verification: { by: "nothing" } });
            await setPhone(fixtures, fixtures.owner, { ...user, number: "+41790000001", verification: message });
          }
          if (name.startsWith("have another email")) {
            await sendEmailCode(fixtures, fixtures.owner, { ...user, delivery: message, isAgain: false });
          }
          const outcome = await outcomeOf(work(fixtures, callOf(user), user));
          const expected = allowed[caller]?.includes(kind) ? "done" : (refusals[caller] ?? "");
          assert.equal(outcome.split(" ")[0], expected, `${caller}: ${name} (${outcome})`);
        }
      }
    }
  });

  test("an invitation is for users who cannot sign in yet, and its code is returned to managers only", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const organization = await fixtures.organization("Acme");
    const invite = (call: Call, user: HumanUser, by: "message" | "return") =>
      outcomeOf(createInvitation(fixtures, call, { userId: user.userId, delivery: { by } }));
    const invited = await fixtures.person(organization, { password: undefined });
    assert.equal(await invite(fixtures.self(invited), invited, "message"), "done");
    assert.equal(await invite(fixtures.self(invited), invited, "return"), "permission_denied permission.missing");
    assert.equal(await invite(fixtures.manager(organization), invited, "return"), "done");
    const settled = await fixtures.person(organization);
    assert.equal(
      await invite(fixtures.manager(organization), settled, "message"),
      "failed_precondition user.already_initialised",
    );
  });

  test("a refused self-verification leaves the address unproven", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const user = await fixtures.person(await fixtures.organization("Acme"), {
      email: { address: "plain@mail.example", isVerified: false },
    });
    const call = fixtures.self(user);
    await outcomeOf(
      setEmail(fixtures, call, { userId: user.userId, address: "plain@mail.example", verification: { by: "trust" } }),
    );
    const { email: after } = (await getUser(fixtures, call, user)) as HumanUser;
    assert.deepEqual(after, { address: "plain@mail.example", isVerified: false });
  });
});
