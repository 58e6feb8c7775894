import assert from "node:assert/strict";
import { test } from "node:test";
import { days, minutes } from "../../src/base/clock.ts";
import { occurrenceOf } from "../../src/domain/statistics/occurrence.ts";
import type { FeedEvent } from "../../src/event/index.ts";

const now = Date.UTC(2027, 0, 15, 12);

const event = (type: string, payload: Record<string, unknown> = {}, rest: Partial<FeedEvent> = {}): FeedEvent => ({
  cursor: { transactionId: "0", position: 1 },
  instanceId: "instance",
  aggregateType: "any",
  aggregateId: "1",
  ownerId: "acme",
  sequence: 1,
  requestId: "request",
  createdAt: now,
  type,
  payload,
  ...rest,
});

const named = (type: string, payload?: Record<string, unknown>, rest?: Partial<FeedEvent>) =>
  occurrenceOf(event(type, payload, rest))?.name;

test("a session counts when its sign-in is finished, by the proof that it began with", () => {
  const session = (payload: Record<string, unknown>) => named("session.updated", { userId: "ada", ...payload });
  const earlier = now - minutes(5);
  const yesterday = now - days(1);
  const cases: readonly (readonly [string, Record<string, unknown>, string | undefined])[] = [
    ["a password", { userCheckedAt: now, passwordCheckedAt: now }, "sign_in.password"],
    [
      "a password of a session that named the user before",
      { userCheckedAt: earlier, passwordCheckedAt: now },
      "sign_in.password",
    ],
    ["a name alone", { userCheckedAt: now }, undefined],
    [
      "a code after a password, in the hosted login",
      { userCheckedAt: now, passwordCheckedAt: earlier, totpCheckedAt: now },
      "sign_in.password",
    ],
    [
      "a code in a custom login, where the password counted",
      { userCheckedAt: earlier, passwordCheckedAt: earlier, totpCheckedAt: now },
      undefined,
    ],
    ["a code alone", { userCheckedAt: now, otpEmailCheckedAt: now }, undefined],
    [
      "a further factor of an old session",
      { userCheckedAt: now, passwordCheckedAt: yesterday, totpCheckedAt: now },
      undefined,
    ],
    ["a passkey", { userCheckedAt: now, webAuthNCheckedAt: now, isUserVerified: true }, "sign_in.passkey"],
    [
      "a key that only tested presence",
      { userCheckedAt: now, webAuthNCheckedAt: now, isUserVerified: false },
      undefined,
    ],
    [
      "a key after a password",
      { userCheckedAt: now, passwordCheckedAt: earlier, webAuthNCheckedAt: now, isUserVerified: true },
      "sign_in.password",
    ],
    ["a provider, whose answer waited", { userCheckedAt: now, intentCheckedAt: earlier }, "sign_in.identity_provider"],
    ["other data of a session", { userCheckedAt: earlier, passwordCheckedAt: earlier }, undefined],
    ["the wrong kinds of values", { userCheckedAt: "now", passwordCheckedAt: `${now}` }, undefined],
  ];
  for (const [what, payload, expected] of cases) assert.equal(session(payload), expected, what);
  const { organizationId, userId, isActivity } = occurrenceOf(
    event("session.created", { userId: "ada", passwordCheckedAt: now }),
  ) ?? { isActivity: false };
  assert.deepEqual([organizationId, userId, isActivity], ["acme", "ada", true]);
});

test("other events count by their kind, and those of the instance for no organization", () => {
  assert.equal(named("notification.sent", { channel: "email" }), "message.email_sent");
  assert.equal(named("notification.failed", { channel: "email" }), "message.email_failed");
  assert.equal(named("notification.sent", { channel: "sms" }), "message.sms_sent");
  assert.equal(named("notification.failed", { channel: "sms" }), "message.sms_failed");
  assert.equal(named("user.created", { kind: "human" }), "user.registered");
  assert.equal(named("user.created", { kind: "human" }, { editorUserId: "admin" }), "user.created");
  assert.equal(named("user.created", { kind: "machine" }), undefined);
  assert.equal(named("token_family.refreshed", { userId: "ada" }), "token.refreshed");
  assert.equal(named("saml_assertion.issued", { userId: "ada" }), "token.assertion");
  assert.equal(named("user.recovery_codes_check.failed"), "sign_in_failure.second_factor");
  assert.equal(named("project.created"), undefined);
  assert.equal(named("constructor"), undefined);
  assert.equal(occurrenceOf(event("idpintent.failed", {}, { ownerId: "instance" }))?.organizationId, undefined);
  // Whose organization that is, is looked up.
  assert.deepEqual(occurrenceOf(event("token_family.created", { userId: "ada" }, { ownerId: "instance" })), {
    name: "token.issued",
    userId: "ada",
    isActivity: true,
  });
});
