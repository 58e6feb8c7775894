import assert from "node:assert/strict";
import { test } from "node:test";
import { type Call, type Caller, callOfPresented, createAccess, type Presented } from "../../src/call/index.ts";
import { testCall } from "../support/operations/call.ts";

const scope = { organizationId: "org" };
const owner = createAccess([
  { level: "organization", resourceId: "org", roles: ["ORG_OWNER"], permissions: new Set(["user.read", "user.write"]) },
]);
const presented: Presented<Caller> = { userId: "user", organizationId: "org", access: owner };

test("a call of a caller who presented something asks for them again, and there is no other", async () => {
  const call = testCall({ now: 1000 });
  // @ts-expect-error: it could not be confirmed.
  const _unconfirmed: Call = { ...call, caller: presented };
  // @ts-expect-error: nor could it by what was made of it.
  const _made: Call = { ...call, caller: { ...presented, access: owner } };

  let present = presented;
  const asked: (readonly [now: number, presentedAt: number | undefined])[] = [];
  const identified = await callOfPresented(
    () => 2000,
    call,
    async ({ now }, presentedAt) => {
      asked.push([now, presentedAt]);
      return present;
    },
  );
  const { confirm, caller } = identified;
  assert.ok(confirm);
  await confirm();
  assert.deepEqual(asked, [
    [1000, undefined],
    [2000, 1000],
  ]);
  present = { ...presented, access: createAccess([]) };
  await confirm();
  assert.ok(!caller.access.allows("user.read", scope), "nothing was decided by it before, and nothing is now");
  present = presented;
  await confirm();
  assert.ok(caller.access.allows("user.read", scope));
  present = { ...presented, access: createAccess([]) };
  await assert.rejects(confirm(), { id: "request.too_many" });
});
