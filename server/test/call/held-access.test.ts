import assert from "node:assert/strict";
import { test } from "node:test";
import { type Access, createAccess, holdAccess, isOfInstance, type Position } from "../../src/call/index.ts";

const at = (resourceId: string): Position => ({
  level: "organization",
  resourceId,
  roles: ["ORG_OWNER"],
  permissions: new Set(["user.read", "user.write"]),
});

test("what a call decided by has to hold to its end, and what it noted need not", () => {
  const own = at("own");
  const { access, renew } = holdAccess(createAccess([own, at("foreign")]));
  assert.ok(access.allows("user.write", { organizationId: "own" }));
  assert.ok(isOfInstance({ access }));
  assert.equal(access.noted.length, 2);
  assert.ok(renew(createAccess([own])));
  assert.ok(!access.allows("user.write", { organizationId: "foreign" }));
  assert.ok(!renew(createAccess([at("foreign")])));
  // Where all are listed, all have to hold.
  const listed = holdAccess(createAccess([own, at("foreign")]));
  assert.equal(listed.access.positions.length, 2);
  assert.ok(!listed.renew(createAccess([own])));
});

test("a renewal makes each derived access once, however much was decided by it", () => {
  let made = 0;
  const positions = Array.from({ length: 300 }, (_, index) => at(`org-${index}`));
  const { access, renew } = holdAccess(createAccess(positions));
  const rule = (held: Access): Access => {
    made += 1;
    return held;
  };
  const derived = () => access.derive?.("same", rule) ?? assert.fail("nothing is derived from held access");
  for (const { resourceId } of positions)
    for (const permission of ["user.read", "user.write"])
      assert.ok(derived().allows(permission, { organizationId: resourceId }));
  assert.ok(made <= 1, `${made} times before`);
  made = 0;
  assert.ok(renew(createAccess(positions)));
  assert.ok(made <= 1, `${made} times`);
  assert.ok(!renew(createAccess(positions.slice(1))));
});
