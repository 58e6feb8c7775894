import assert from "node:assert/strict";
import { callUser, refusalOf } from "../factor/support.ts";
import { addStaff } from "../identity-provider/trusted.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { addPerson, appoint } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { appCode } from "../support/sign-in/totp.ts";
import { make } from "./support/prepared.ts";

serversInTurn((start, test) => {
  test("the administrator who set a password does not remove the factor beside it", async (t) => {
    const server = await start(t);
    const [acme, other] = [await addStaff(server, "acme"), await addStaff(server, "other")];
    const elsewhere = { organizationId: other.organizationId };
    let count = 0;
    const withApp = async (token: string) => {
      const user = await make(server, acme, `removed-${++count}`, token);
      const { secret } = await callUser(server, "RegisterTOTP", { userId: user.userId });
      await callUser(server, "VerifyTOTPRegistration", {
        userId: user.userId,
        code: appCode(secret, server.clock.now),
      });
      return user;
    };
    const remove = ({ userId }: { readonly userId: string }, token: string) =>
      refusalOf(server, "RemoveTOTP", { userId }, token);

    const plain = await withApp(acme.clerk.token);
    assert.equal(await remove(plain, acme.clerk.token), "done", "the user administers nothing");
    const prepared = await withApp(acme.clerk.token);
    await appoint(server, prepared, elsewhere, ["ORG_OWNER"]);
    assert.equal(await remove(prepared, acme.clerk.token), "user.administers_more");
    assert.equal(await remove(prepared, server.ownerToken), "done", "an administrator who holds as much may");
    const own = await withApp(server.ownerToken);
    await appoint(server, own, elsewhere, ["ORG_OWNER"]);
    assert.equal(await remove(own, acme.clerk.token), "done", "the password is not the clerk's");
    // An address of the clerk's, where a code was entered, opens the account by a new password once the factor is gone.
    const named = await withApp(acme.clerk.token);
    const { userId } = named;
    await callUser(server, "SetPassword", {
      userId,
      newPassword: { password: "a sentence that an owner of all gave" },
    });
    await appoint(server, named, elsewhere, ["ORG_OWNER"]);
    assert.equal(await remove(named, acme.clerk.token), "user.administers_more", "the clerk named the address");
    await callUser(server, "SetEmail", { userId, email: "named-by-the-owner@acme.example", isVerified: true });
    assert.equal(await remove(named, acme.clerk.token), "done", "another named the address");
  });

  test("a code that a sign-in application was given proves nothing for its session's token (A14)", async (t) => {
    const server = await start(t);
    const { loginToken } = await setUpOidc(server);
    await changeSettings(server, "login", { secondFactors: ["totp", "otp_email"] });
    const { userId, password } = await addPerson(server, { username: "grace" });
    await callUser(server, "AddOTPEmail", { userId });
    const signIn = async (): Promise<string> => {
      server.clock.now += 3_600_000;
      const checks = { user: { userId }, password: { password } };
      const body = { checks, challenges: { otpEmail: { returnCode: {} } } };
      const begun = await server.rest("POST", "/v2/sessions", { token: loginToken, body });
      const code = { checks: { otpEmail: { code: begun.body.challenges.otpEmail } } };
      const path = `/v2/sessions/${begun.body.sessionId}`;
      return (await server.rest("PATCH", path, { token: loginToken, body: code })).body.sessionToken;
    };
    const session = await signIn();
    const read = async (path: string, body?: object) =>
      (await server.rest(body === undefined ? "GET" : "POST", path, { token: session, body })).status;
    assert.equal(await read("/auth/v1/users/me"), 200, "it signs the user in");
    assert.equal(await refusalOf(server, "RegisterTOTP", { userId }, session), "authentication.too_old");
    await appoint(server, { userId }, { instance: true }, ["IAM_OWNER"]);
    assert.equal(await read("/admin/v1/members/_search", {}), 401, "no administrator is signed in by it");
  });
});
