import assert from "node:assert/strict";
import { test } from "node:test";
import { commonAccess, createAccess, type Position } from "../../src/call/index.ts";

/** How often positions have been looked at. */
let looks = 0;

const levels = ["organization", "project", "project_grant"] as const;

const positionsOf = (count: number): Position[] =>
  Array.from({ length: count }, (_, index) => ({
    get level() {
      looks++;
      return levels[index % 3] ?? "project";
    },
    resourceId: `r${index}`,
    permissions: new Set(["project.read", "project.write"]),
    roles: ["ROLE"],
  }));

function looksOf(work: () => void): number {
  looks = 0;
  work();
  return looks;
}

const scopeOf = ({ level, resourceId }: Position) => ({
  ...(level === "organization" && { organizationId: resourceId }),
  ...(level === "project" && { projectId: resourceId }),
  ...(level === "project_grant" && { projectGrantId: resourceId }),
});

test("what a permission costs does not follow the number of positions", () => {
  for (const count of [30, 3000]) {
    const positions = positionsOf(count);
    const access = createAccess(positions);
    for (const position of positions.slice(-3)) {
      assert.equal(access.allows("project.write", scopeOf(position)), true);
      const scope = scopeOf(position);
      assert.ok(looksOf(() => access.allows("project.write", scope)) <= 1);
      assert.equal(access.allows("project.delete", scopeOf(position)), false);
    }
    assert.equal(
      access.allows("project.write", { organizationId: "r1", projectId: "r2", projectGrantId: "r0" }),
      false,
    );
    assert.equal(access.allows("project.write", {}), false);
  }
});

test("positions everywhere count in each scope, with those of the resource", () => {
  const everywhere: Position = { level: "instance", resourceId: "", permissions: new Set(["iam.write"]) };
  const access = createAccess([everywhere, ...positionsOf(30)]);
  for (const scope of [{}, { organizationId: "r0" }, { organizationId: "other", projectId: "r1" }]) {
    assert.equal(access.allows("iam.write", scope), true);
  }
  const both = { organizationId: "r0", projectId: "other" };
  assert.deepEqual(
    [access.allows("project.write", both), access.allows("project.write", { projectId: "other" })],
    [true, false],
  );
});

test("what two accesses have in common is found in proportion to their positions", () => {
  const found = [100, 1000].map((count) => {
    const [now, covered] = [createAccess(positionsOf(count)), createAccess(positionsOf(count).toReversed())];
    assert.equal(commonAccess(now, covered).positions.length, count);
    return looksOf(() => commonAccess(now, covered));
  });
  const [few = 0, many = 0] = found;
  assert.ok(few > 0 && many <= few * 10, `${few} and ${many}`);
});
