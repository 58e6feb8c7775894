import assert from "node:assert/strict";
import { sql } from "../../src/database/index.ts";
import { keysAt } from "../factor/key-support.ts";
import { callUser, refusalOf, slugOf } from "../factor/support.ts";
import { addStaff } from "../identity-provider/trusted.ts";
import { appoint, type Person } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { createAuthenticator } from "../support/sign-in/authenticator.ts";
import { appCode } from "../support/sign-in/totp.ts";
import { make } from "./support/prepared.ts";

const none = "00000000";

serversInTurn((start, test, both) => {
  both("those who know one factor of a user who administers more get no more guesses at the other (A14)", async (t) => {
    const server = await start(t);
    const [acme, other] = [await addStaff(server, "acme"), await addStaff(server, "other")];
    const elsewhere = { organizationId: other.organizationId };
    await changeSettings(server, "lockout", { maxOtpAttempts: 2, maxPasswordAttempts: 2 });
    let count = 0;
    const withApp = async (token: string) => {
      const user = await make(server, acme, `unblocked-${++count}`, token);
      const { secret } = await callUser(server, "RegisterTOTP", { userId: user.userId });
      const code = appCode(secret, server.clock.now);
      await callUser(server, "VerifyTOTPRegistration", { userId: user.userId, code });
      server.clock.now += 60_000;
      return { ...user, secret };
    };
    const check = async ({ userId, password }: Person, code: string) => {
      const checks = { user: { userId }, password: { password }, totp: { code } };
      return slugOf(await server.rest("POST", "/v2/sessions", { body: { checks } }));
    };
    const right = ({ secret }: { readonly secret: string }) => appCode(secret, server.clock.now);
    const block = async (user: Person & { readonly secret: string }) => {
      const wrong = String((Number(right(user)) + 1) % 1_000_000).padStart(6, "0");
      for (const _ of [1, 2]) assert.equal(await check(user, wrong), "factor.code_wrong");
      assert.equal(await check(user, right(user)), "factor.blocked");
    };
    const unlock = ({ userId }: Person, token: string) => refusalOf(server, "UnlockUser", { userId }, token);
    const { clerk } = acme;

    const plain = await withApp(clerk.token);
    await block(plain);
    assert.equal(await unlock(plain, clerk.token), "done", "the user administers nothing");
    assert.equal(await check(plain, right(plain)), "done");

    const prepared = await withApp(clerk.token);
    await appoint(server, prepared, elsewhere, ["ORG_OWNER"]);
    await block(prepared);
    assert.equal(await unlock(prepared, clerk.token), "user.administers_more");
    const v1 = { token: clerk.token, headers: { "x-service-orgid": acme.organizationId } };
    const former = await server.rest("POST", `/management/v1/users/${prepared.userId}/_unlock`, v1);
    assert.equal(slugOf(former), "user.administers_more");
    assert.equal(await refusalOf(server, "LockUser", { userId: prepared.userId }, clerk.token), "done", "may lock");
    assert.equal(await unlock(prepared, clerk.token), "done", "and unlock");
    assert.equal(await check(prepared, right(prepared)), "factor.blocked", "without more guesses");
    assert.equal(await unlock(prepared, server.ownerToken), "done", "an administrator who holds as much may");
    assert.equal(await check(prepared, right(prepared)), "done");

    const own = await withApp(server.ownerToken);
    await appoint(server, own, elsewhere, ["ORG_OWNER"]);
    await block(own);
    assert.equal(await unlock(own, clerk.token), "done", "the password is not the clerk's");
    assert.equal(await check(own, right(own)), "done");

    const guessAtOwn = { ...own, password: none };
    await check(guessAtOwn, right(own));
    const failures = async () =>
      server.app.domain.database.read.all<{ count: number }>(
        sql`select failed_password_checks as "count" from users where user_id = ${own.userId}`,
      );
    for (const [token, count] of [
      [clerk.token, 1],
      [server.ownerToken, 0],
    ] as const) {
      assert.equal(await refusalOf(server, "LockUser", { userId: own.userId }, clerk.token), "done");
      assert.equal(await unlock(own, token), "done");
      assert.deepEqual(await failures(), [{ count }], "wrong guesses at the password count on for the clerk alone");
    }
    for (const _ of [1, 2]) await check(guessAtOwn, right(own));
    assert.equal(
      await unlock(own, clerk.token),
      "user.administers_more",
      "a blocked password is no clerk's to unblock",
    );
    assert.equal(await check(own, right(own)), "user.password_blocked");
    assert.equal(await unlock(own, server.ownerToken), "done");

    const wrongPassword = { ...prepared, password: none };
    for (const _ of [1, 2]) await check(wrongPassword, right(prepared));
    assert.equal(await check(prepared, right(prepared)), "user.password_blocked");
    assert.equal(await unlock(prepared, clerk.token), "user.administers_more", "a password is a factor as well");

    await appoint(server, clerk, { instance: true }, ["IAM_LOGIN_CLIENT"]);
    server.clock.now += 60_000;
    await block(own);
    assert.equal(await unlock(own, clerk.token), "done", "a clerk who is a sign-in application as well");
    assert.equal(await check(own, right(own)), "done");
  });

  test("the author of a passkey does not remove or unblock the factors beside it (A14)", async (t) => {
    const server = await start(t);
    const [acme, other] = [await addStaff(server, "acme"), await addStaff(server, "other")];
    await changeSettings(server, "login", { multiFactors: [] });
    const keys = keysAt(server);
    for (const isReturned of [true, false]) {
      const person = await make(server, acme, `keyed-${isReturned}`, server.ownerToken);
      const { userId } = person;
      const by = isReturned ? acme.owner.token : server.ownerToken;
      const { code } = await callUser(server, "CreatePasskeyRegistrationLink", { userId, returnCode: {} }, by);
      const device = createAuthenticator({ origin: server.origin });
      const begun = await callUser(server, "RegisterPasskey", { userId, domain: "", code });
      const { method, body } = keys.finish(userId, begun, device.create(begun.publicKeyCredentialCreationOptions));
      await callUser(server, method, body);
      const { secret } = await callUser(server, "RegisterTOTP", { userId });
      await callUser(server, "VerifyTOTPRegistration", { userId, code: appCode(secret, server.clock.now) });
      await appoint(server, person, { organizationId: other.organizationId }, ["ORG_OWNER"]);
      const removed = await refusalOf(server, "RemoveTOTP", { userId }, acme.owner.token);
      assert.equal(removed, isReturned ? "user.administers_more" : "done", "the passkey of an owner of the instance");
      if (isReturned) assert.equal(await refusalOf(server, "RemoveTOTP", { userId }, server.ownerToken), "done");
    }
  });
});
