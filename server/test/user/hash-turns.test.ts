import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../src/base/fault.ts";
import { createPasswordHasher } from "../../src/base/password/password-hash.ts";
import { systemRandom } from "../../src/base/random.ts";
import { payForHash, preparePassword } from "../../src/domain/password/index.ts";
import { testCall } from "../support/operations/call.ts";
import { startServer } from "../support/servers/server.ts";

const password = "correct horse battery staple";

test("the passwords of two organizations, from however many addresses, keep no other's from being checked (A27)", async (t) => {
  const { domain } = (await startServer(t)).app;
  const passwordHasher = createPasswordHasher({ concurrency: 1, queueLimit: 4, random: systemRandom });
  const { instanceId = "" } = (await domain.findInstanceByHost("localhost")) ?? {};
  const stored = await passwordHasher.hash(password);
  const owner = {
    username: "taken",
    email: { address: "taken@evil.example" },
    profile: { givenName: "Tara", familyName: "Kent" },
  };
  let made = 0;
  let refused = 0;
  // The settings are from memory, so that all come before the first one is through.
  for (const organizationId of ["evil-0", "evil-1"]) {
    await domain.settings.get("password_complexity", { instanceId, organizationId });
  }
  const flood = Array.from({ length: 24 }, async (_, index) => {
    const call = testCall({ instanceId, source: `203.0.113.${index % 6}` });
    const user = { ...owner, organizationId: `evil-${index % 2}` };
    try {
      await preparePassword({ ...domain, passwordHasher }, call, user, { password, isChangeRequired: false });
      made++;
    } catch (error) {
      assert.ok(error instanceof Fault && error.id === "password.busy");
      refused++;
    }
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(refused > 0);
  const ofBank = testCall({ instanceId, source: "198.51.100.7" });
  const check = () => passwordHasher.verify(password, stored);
  const checks = await Promise.all([1, 2].map(() => payForHash(ofBank, "bank", check)));
  assert.ok(checks.every(({ matches }) => matches));
  await Promise.all(flood);
  // Four of each may wait, and two of these were refused for the other's sake.
  assert.ok(made >= 6 && made <= 10 && made + refused === 24, `${made} of 24`);
});
