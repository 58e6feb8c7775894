import assert from "node:assert/strict";
import { test } from "node:test";
import { methods } from "@doorward/api/methods";
import roles from "../../src/domain/administrator-access/roles.json" with { type: "json" };
import { rightFor } from "../../src/rpc/authority/limit.ts";
import { rightOfMethod } from "../../src/rpc/authority/method-rights.ts";
import { rightOfPermission } from "../../src/rpc/authority/permission-rights.ts";

const all = methods.map(({ service, method, access }) => ({ name: `${service}/${method}`, access }));

test("every method and every permission of the contract has a right that it needs (A1)", () => {
  const known = new Set(all.map(({ name }) => name));
  const permissions = new Set(Object.values(roles).flatMap((role) => role.permissions));
  for (const { access } of all) if (access.kind === "permission") permissions.add(access.permission);
  assert.deepEqual(
    all.filter(({ name, access }) => access.kind === "self" && !(name in rightOfMethod)).map(({ name }) => name),
    [],
    "methods for every signed-in user that rpc/authority/method-rights.ts does not have",
  );
  assert.deepEqual(
    [...permissions].filter((permission) => !(permission in rightOfPermission)),
    [],
    "permissions that rpc/authority/permission-rights.ts does not have",
  );
  assert.deepEqual(
    Object.keys(rightOfMethod).filter((name) => !known.has(name)),
    [],
    "methods that the contract does not have any more",
  );
});

/** What no application of a third party may do, by the words of the contract. */
const changes =
  /^(?:Add|Set|Bulk|Create|Update|Remove|Delete|Clear|Verify|Resend|Send|Register|Generate|Import|Regenerate|Confirm|Lock|Unlock|Deactivate|Reactivate|Activate|Reset|Start|Retrieve|Link|Unlink|Passwordless|Password)/;
const guarded =
  /Password|Passkey|Passwordless|U2F|TOTP|OTP|RecoveryCode|AuthFactor|MultiFactor|SecondFactor|IDP|Intent|Email|Phone|UserName|Username|PersonalAccessToken|MachineKey|Secret|AppKey|ClientSecret|Session|Invite|Member|Administrator|Target|Execution|Action|Trigger|LoginPolicy|LockoutPolicy|DomainPolicy|Domain|OIDCApp|APIApp|SAMLApp|Application|^(?:Add|Remove|Delete|Lock|Unlock|Deactivate|Reactivate|Update|Create|Import).*(?:User|Human)$|^(?:Add|Remove)Key$|SecurityPolicy|SMTP|SMS|WebKey|SAMLKey|Feature|RefreshToken/;

test("changing the ways into an account, administrators, providers, targets or trust needs a right that no third party has (A1)", () => {
  const open = all.filter(({ name, access }) => {
    const method = name.slice(name.indexOf("/") + 1);
    return (
      access.kind !== "open" && changes.test(method) && guarded.test(method) && rightFor({ name, access }) !== "none"
    );
  });
  assert.deepEqual(
    open.map(({ name }) => name),
    [],
  );
  const counted = all.filter(({ name, access }) => rightFor({ name, access }) === "none").length;
  assert.ok(counted > 300 && counted < all.length - 200, `${counted} of ${all.length}`);
});
