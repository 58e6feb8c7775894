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
import { makeUserWorld, outcomeOf, password, type UserWorld } from "./support.ts";

type Work = (world: UserWorld, call: Call, user: HumanUser) => Promise<unknown>;

const page = { page: { offset: 0, limit: 10 }, isDescending: false } as const;
const next = { password: "another long passphrase", isChangeRequired: false } as const;
const message = { by: "message" } as const;
const email = "new@mail.example";
const number = "+41791234567";

const reads: Record<string, Work> = {
  get: (world, call, { userId }) => getUser(world, call, { userId }),
  "list authentication methods": (world, call, { userId }) => listAuthenticationMethods(world, call, { userId }),
  "list second factors": (world, call, { userId }) => listSecondFactors(world, call, { userId, kinds: [], states: [] }),
  "list metadata": (world, call, { userId }) => listUserMetadata(world, call, { userId, keyFilters: [], ...page }),
};

const ownWrites: Record<string, Work> = {
  "change the profile": (world, call, { userId }) =>
    updateUser(world, call, { userId, human: { profile: { nickName: "Nick" } } }),
  "change the username": (world, call, { userId }) => updateUser(world, call, { userId, username: `${userId}-new` }),
  "change the email address": (world, call, { userId }) =>
    setEmail(world, call, { userId, address: email, verification: message }),
  "change the email address in an update": (world, call, { userId }) =>
    updateUser(world, call, { userId, human: { email: { address: email, verification: message } } }),
  "change the email address without a code": (world, call, { userId }) =>
    setEmail(world, call, { userId, address: email, verification: { by: "nothing" } }),
  "ask for another email code": (world, call, { userId }) =>
    sendEmailCode(world, call, { userId, delivery: message, isAgain: false }),
  "change the phone number": (world, call, { userId }) =>
    setPhone(world, call, { userId, number, verification: message }),
  "ask for another phone code": (world, call, { userId }) =>
    resendPhoneCode(world, call, { userId, delivery: message }),
  "remove the phone number": (world, call, { userId }) => removePhone(world, call, { userId }),
  "change the password with the current one": (world, call, { userId }) =>
    setPassword(world, call, { userId, password: next, proof: { by: "current_password", password } }),
  "be sent a password reset": (world, call, { userId }) =>
    requestPasswordReset(world, call, { userId, channel: "sms", delivery: message }),
  "remove an authenticator app": (world, call, { userId }) => removeFactor(world, call, { userId, kind: "totp" }),
  "turn off one-time mails": (world, call, { userId }) => removeFactor(world, call, { userId, kind: "otp_email" }),
  "turn off one-time texts": (world, call, { userId }) => removeFactor(world, call, { userId, kind: "otp_sms" }),
  "put a second factor off": (world, call, { userId }) => skipSecondFactor(world, call, { userId }),
};

// Adding to what a user signs in with is more than managing the user.
const credentials: Record<string, Work> = {
  "start with an authenticator app": (world, call, { userId }) => registerTotp(world, call, { userId }),
  "turn on one-time mails": (world, call, { userId }) => addOtp(world, call, { userId, kind: "otp_email" }),
  "turn on one-time texts": (world, call, { userId }) => addOtp(world, call, { userId, kind: "otp_sms" }),
  "be sent the first of one-time mails": (world, call, { userId }) =>
    startOtp(world, call, { userId, kind: "otp_email" }),
  "turn on one-time texts with a code": (world, call, { userId }) =>
    confirmOtp(world, call, { userId, kind: "otp_sms", code: "12345678" }),
  "make means of recovery": (world, call, { userId }) => generateRecoveryCodes(world, call, { userId, count: 1 }),
  "remove means of recovery": (world, call, { userId }) =>
    removeFactor(world, call, { userId, kind: "recovery_codes" }),
};

const othersWrites: Record<string, Work> = {
  "declare an email address verified": (world, call, { userId }) =>
    setEmail(world, call, { userId, address: email, verification: { by: "trust" } }),
  "declare the own email address verified": (world, call, user) =>
    setEmail(world, call, { userId: user.userId, address: user.email.address, verification: { by: "trust" } }),
  "declare an email address verified in an update": (world, call, { userId }) =>
    updateUser(world, call, { userId, human: { email: { address: email, verification: { by: "trust" } } } }),
  "have an email code returned": (world, call, { userId }) =>
    setEmail(world, call, { userId, address: email, verification: { by: "return" } }),
  "have an email code returned in an update": (world, call, { userId }) =>
    updateUser(world, call, { userId, human: { email: { address: email, verification: { by: "return" } } } }),
  "have another email code returned": (world, call, { userId }) =>
    sendEmailCode(world, call, { userId, delivery: { by: "return" }, isAgain: true }),
  "declare a phone number verified": (world, call, { userId }) =>
    setPhone(world, call, { userId, number, verification: { by: "trust" } }),
  "declare a phone number verified in an update": (world, call, { userId }) =>
    updateUser(world, call, { userId, human: { phone: { number, verification: { by: "trust" } } } }),
  "have a phone code returned": (world, call, { userId }) =>
    setPhone(world, call, { userId, number, verification: { by: "return" } }),
  "have another phone code returned": (world, call, { userId }) =>
    resendPhoneCode(world, call, { userId, delivery: { by: "return" } }),
  deactivate: (world, call, { userId }) => changeUserState(world, call, { userId, move: "deactivate" }),
  lock: (world, call, { userId }) => changeUserState(world, call, { userId, move: "lock" }),
  "import a password hash": (world, call, { userId }) =>
    setPassword(world, call, {
      userId,
      password: { hash: "$2b$10$Q7rFnVlqjM1jI3cQzYyK6eJ3rQ4b2v8sVQm2mRkWQXQ7kD1uYQb1S", isChangeRequired: false },
      proof: { by: "current_password", password },
    }),
  "set metadata": (world, call, { userId }) =>
    setUserMetadata(world, call, { userId, metadata: [{ key: "plan", value: Buffer.from("gold") }] }),
  "set metadata in an update": (world, call, { userId }) =>
    updateUser(world, call, { userId, metadata: [{ key: "plan", value: Buffer.from("gold") }] }),
  "remove metadata": (world, call, { userId }) => deleteUserMetadata(world, call, { userId, keys: ["plan"] }),
};

// No user sets their own password without a proof, whatever they may do to others.
const neverSelf: Record<string, Work> = {
  "have a password reset code returned": (world, call, { userId }) =>
    requestPasswordReset(world, call, { userId, channel: "email", delivery: { by: "return" } }),
  "set a password without a proof": (world, call, { userId }) =>
    setPassword(world, call, { userId, password: next, proof: { by: "permission" } }),
  "set a password without a proof in an update": (world, call, { userId }) =>
    updateUser(world, call, { userId, human: { password: { password: next, proof: { by: "permission" } } } }),
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
    const world = await makeUserWorld(t, open);
    const organization = await world.organization("Acme");
    const other = await world.organization("Other");
    const callers: Record<string, (user: HumanUser) => Call> = {
      self: (user) => world.self(user),
      "self with user.write": ({ userId }) => world.manager(organization, { userId }),
      manager: () => world.manager(organization),
      owner: () => world.as([{ role: "ORG_OWNER", level: "organization", resourceId: organization.organizationId }]),
      viewer: () =>
        world.as([{ role: "ORG_OWNER_VIEWER", level: "organization", resourceId: organization.organizationId }]),
      "owner of another organization": () =>
        world.as([{ role: "ORG_OWNER", level: "organization", resourceId: other.organizationId }]),
      "user of the same organization": () => world.as([], { organizationId: organization.organizationId }),
      "owner of another instance": () =>
        world.as([{ role: "IAM_OWNER", level: "instance" }], { instanceId: "instance-2" }),
      nobody: () => {
        const { caller: _, ...call } = world.owner;
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
    const hash = await world.passwordHasher.hash(password);
    for (const [kind, works] of kinds) {
      for (const [name, work] of Object.entries(works)) {
        for (const [caller, callOf] of Object.entries(callers)) {
          const isPhone = name.includes("another phone code");
          const user = await world.person(organization, {
            email: { address: `${world.newId()}@mail.example`, isVerified: !name.includes("code") },
            phone: { number: "+41790000000", isVerified: !isPhone },
            password: { hash, isChangeRequired: false },
          });
          // "Another" code needs one before.
          if (isPhone) {
            await setPhone(world, world.owner, { ...user, number, verification: { by: "nothing" } });
            await setPhone(world, world.owner, { ...user, number: "+41790000001", verification: message });
          }
          if (name.startsWith("have another email")) {
            await sendEmailCode(world, world.owner, { ...user, delivery: message, isAgain: false });
          }
          const outcome = await outcomeOf(work(world, callOf(user), user));
          const expected = allowed[caller]?.includes(kind) ? "done" : (refusals[caller] ?? "");
          assert.equal(outcome.split(" ")[0], expected, `${caller}: ${name} (${outcome})`);
        }
      }
    }
  });

  test("an invitation is for users who cannot sign in yet, and its code is returned to managers only", async (t) => {
    const world = await makeUserWorld(t, open);
    const organization = await world.organization("Acme");
    const invite = (call: Call, user: HumanUser, by: "message" | "return") =>
      outcomeOf(createInvitation(world, call, { userId: user.userId, delivery: { by } }));
    const invited = await world.person(organization, { password: undefined });
    assert.equal(await invite(world.self(invited), invited, "message"), "done");
    assert.equal(await invite(world.self(invited), invited, "return"), "permission_denied permission.missing");
    assert.equal(await invite(world.manager(organization), invited, "return"), "done");
    const settled = await world.person(organization);
    assert.equal(
      await invite(world.manager(organization), settled, "message"),
      "failed_precondition user.already_initialised",
    );
  });

  test("a refused self-verification leaves the address unproven", async (t) => {
    const world = await makeUserWorld(t, open);
    const user = await world.person(await world.organization("Acme"), {
      email: { address: "plain@mail.example", isVerified: false },
    });
    const call = world.self(user);
    await outcomeOf(
      setEmail(world, call, { userId: user.userId, address: "plain@mail.example", verification: { by: "trust" } }),
    );
    const { email: after } = (await getUser(world, call, user)) as HumanUser;
    assert.deepEqual(after, { address: "plain@mail.example", isVerified: false });
  });
});
