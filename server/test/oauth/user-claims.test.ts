import assert from "node:assert/strict";
import { test } from "node:test";
import type { HumanUser } from "../../src/domain/user/index.ts";
import { userClaimNames, userClaims } from "../../src/oauth/claims/user-claims.ts";

/** A user of whom everything is known: a new field of the profile does not compile until it has its value here. */
const user: Required<Omit<HumanUser, "profile">> & { readonly profile: Required<HumanUser["profile"]> } = {
  kind: "human",
  userId: "1",
  organizationId: "2",
  state: "active",
  username: "ada",
  preferredLoginName: "ada@example.com",
  displayName: "Ada",
  details: { sequence: 1, createdAt: 1, changedAt: 1, ownerId: "2" },
  profile: { givenName: "Ada", familyName: "Lovelace", nickName: "A.", preferredLanguage: "en", gender: "female" },
  email: { address: "ada@example.com", isVerified: true },
  phone: { number: "+41791230987", isVerified: true },
  avatarFile: "ada.png",
  hasPassword: true,
  isPasswordChangeRequired: false,
  passwordChangedAt: 1,
  passwordBlockedAt: 1,
  secondFactorSkippedAt: 1,
};

test("discovery and requests for single claims know every claim about users, and no other", () => {
  const claims = userClaims(
    { user, picture: "https://issuer.example/ada.png" },
    new Set(["profile", "email", "phone"]),
  );
  assert.deepEqual(Object.keys(claims).toSorted(), userClaimNames.toSorted());
});
