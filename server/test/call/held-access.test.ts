import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Access,
  createAccess,
  decideBy,
  holdAccess,
  isOfInstance,
  type Position,
  withEnded,
} from "../../src/call/index.ts";

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

test("a decision holds as long as there is a way to it, and what led nowhere asks for nothing", () => {
  const [own, foreign] = [at("own"), at("foreign")];
  const mayWrite = (organizationId: string) => (access: Access) => access.allows("user.write", { organizationId });
  const held = holdAccess(createAccess([own, foreign]));
  const both = (access: Access): boolean => mayWrite("foreign")(access) && mayWrite("none")(access);
  assert.ok(!decideBy(held.access, "both", both));
  assert.ok(decideBy(held.access, "either", (access) => mayWrite("foreign")(access) || mayWrite("own")(access)));
  assert.ok(held.renew(createAccess([own])));
  assert.ok(held.renew(createAccess([foreign])));
  assert.ok(!held.renew(createAccess([])));
  // Of an access that is derived as well.
  const derived = holdAccess(createAccess([own, foreign]));
  const same = derived.access.derive?.("same", (access) => access) ?? assert.fail("nothing is derived");
  assert.ok(decideBy(same, "own", mayWrite("own")));
  assert.ok(derived.renew(createAccess([own])));
  assert.ok(!derived.renew(createAccess([foreign])));
});

test("what is decided without being needed is refused once where it holds no longer, and then decided anew", () => {
  const [own, foreign] = [at("own"), at("foreign")];
  const mayWrite = (organizationId: string) => (access: Access) => access.allows("user.write", { organizationId });
  const { access, renew } = holdAccess(createAccess([own, foreign]));
  const may = (): boolean => decideBy(access, "more", mayWrite("foreign"), { isOptional: true });
  assert.ok(decideBy(access, "all", mayWrite("own")));
  assert.ok(may());
  assert.ok(renew(createAccess([own, foreign])));
  assert.ok(!renew(createAccess([own])));
  assert.ok(!may());
  assert.ok(renew(createAccess([own])));
  assert.ok(!renew(createAccess([foreign])));
  assert.ok(!renew(createAccess([foreign])), "what is needed is not forgotten");
});

test("where a permission held counts at the levels that were looked at", () => {
  const project: Position = { ...at("project"), level: "project" };
  const [own, foreign] = [at("own"), at("foreign")];
  const held = holdAccess(createAccess([own, foreign, project]));
  const { everywhere, organizationIds } = held.access.reach("user.read");
  assert.ok(!everywhere);
  assert.deepEqual(organizationIds, ["own", "foreign"]);
  assert.ok(held.renew(createAccess([own, foreign])));
  assert.ok(!held.renew(createAccess([own, project])));
  const whole = holdAccess(createAccess([own, project]));
  assert.deepEqual(whole.access.reach("user.read").projectIds, ["project"]);
  assert.ok(!whole.renew(createAccess([own])));
  const instance: Position = { ...at(""), level: "instance" };
  const wide = holdAccess(createAccess([instance, own]));
  assert.ok(wide.access.reach("user.read").everywhere);
  assert.ok(!wide.renew(createAccess([own])));
  assert.ok(wide.renew(createAccess([instance])));
});

test("what a call ended of its own caller counts as held, and nothing besides", () => {
  const [own, foreign] = [at("own"), at("foreign")];
  const first = createAccess([own, foreign]);
  const renewed = (now: readonly Position[], ...ended: readonly Position[]): boolean => {
    const { access, renew } = holdAccess(first);
    assert.ok(access.allows("user.write", { organizationId: "own" }));
    assert.ok(access.allows("user.write", { organizationId: "foreign" }));
    return renew(withEnded(createAccess(now), first, { positions: ended }));
  };
  assert.ok(renewed([own], foreign));
  assert.ok(!renewed([], foreign));
  assert.ok(!renewed([own], at("another")));
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
