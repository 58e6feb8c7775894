import assert from "node:assert/strict";
import { test } from "node:test";
import { createBudgets } from "../../src/base/budget/budgets.ts";
import { generateMasterKey, parseMasterKey } from "../../src/base/master-key.ts";
import { createPasswordHasher } from "../../src/base/password/password-hash.ts";
import { systemRandom } from "../../src/base/random.ts";
import { hashSecret } from "../../src/base/secret.ts";
import { createVault } from "../../src/base/vault.ts";
import type { Call } from "../../src/call/index.ts";
import { isCredentialSuspended, mayPrepareFor, mayVouchFor } from "../../src/domain/administrator-access/index.ts";
import {
  authenticateSession,
  createSession,
  getSession,
  listBrowserAccounts,
  listBrowserSessions,
  listSessions,
  setSession,
} from "../../src/domain/session/index.ts";
import { createSettingsReader } from "../../src/domain/settings/index.ts";
import { findSignIn } from "../../src/domain/sign-in/index.ts";
import { deleteSession, signBrowserOut } from "../../src/domain/sign-out/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { makeFixtures, testTime } from "../support/operations/fixtures.ts";
import { outcome } from "../support/operations/outcome.ts";
import { unlimitedMessages } from "../support/operations/unlimited-messages.ts";
import { cheapPasswords } from "../support/servers/password-cost.ts";
import { signInBrowser } from "../support/sign-in/sign-in-browser.ts";

const vault = createVault({
  writing: parseMasterKey(generateMasterKey(systemRandom)),
  random: systemRandom,
});
const passwordHasher = createPasswordHasher({
  concurrency: 1,
  queueLimit: 1,
  random: systemRandom,
  cost: cheapPasswords,
});

eachEngine((open) => {
  test("a session is of one instance: to the owner of another it does not exist, nor to a browser there", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const deps = {
      ...fixtures,
      passwordHasher,
      budgets: createBudgets(),
      messageBudgets: unlimitedMessages,
      basePort: "",
      originOf: async () => "http://localhost",
      vault,
      settings: createSettingsReader(fixtures),
      mayPrepareFor,
      mayVouchFor,
      isCredentialSuspended,
    };
    const here = fixtures.owner;
    const there: Call = fixtures.as([{ role: "IAM_OWNER", level: "instance" }], { instanceId: "another" });
    const organization = await fixtures.organization("Acme");
    const { userId } = await fixtures.user(organization);
    const made = await createSession(deps, here, { checks: { user: { userId } }, metadata: {}, userAgent: {} });
    const { sessionId, token } = made;
    const sessionToken = token.reveal();
    await deps.database.change(here, (tx) =>
      signInBrowser(tx, deps, {
        userId,
        organizationId: organization.organizationId,
        authRequestId: undefined,
        browser: { from: "old", to: "browser" },
        expiresAt: testTime + 1000,
      }),
    );

    const absent = "not_found session.not_found";
    const input = { sessionId, checks: {}, metadata: {} };
    assert.equal(await outcome(() => getSession(deps, there, { sessionId, sessionToken })), absent);
    assert.equal(await outcome(() => setSession(deps, there, input)), absent);
    assert.equal(await outcome(() => deleteSession(deps, there, { sessionId, sessionToken })), absent);
    const everything = { filters: [], page: { offset: 0, limit: 100 }, isDescending: false };
    assert.deepEqual(await listSessions(deps, there, everything), { sessions: [], total: 0 });
    assert.equal((await listSessions(deps, here, everything)).total, 2);
    const { read } = deps.database;
    assert.equal(await authenticateSession(deps, there, { tokenHash: hashSecret(token) }), undefined);
    assert.deepEqual(await listBrowserSessions(read, there.instanceId, "browser", testTime), []);
    assert.deepEqual(await listBrowserAccounts(read, there.instanceId, "browser"), []);
    const key = { browserHash: "browser", authRequestId: undefined };
    assert.equal(await findSignIn(read, there.instanceId, key, testTime), undefined);
    const own = await listBrowserSessions(read, here.instanceId, "browser", testTime);
    assert.equal(own.length, 1);
    const browser = { browserHash: "browser", sessionIds: own.map((session) => session.sessionId) };
    const ended = await deps.database.touch(there, (tx) => signBrowserOut(tx, browser));
    assert.deepEqual(ended, []);
    assert.equal((await listSessions(deps, here, everything)).total, 2);
  });
});
