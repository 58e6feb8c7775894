import assert from "node:assert/strict";
import { minutes } from "../../src/base/clock.ts";
import { addApp, setSession, slugOf } from "../factor/support.ts";
import { addPerson, goodPassword, sessionOf } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { appCode } from "../support/sign-in/totp.ts";

const credential = { id: "a", rawId: "a", type: "public-key", response: {} };
const verification = {
  publicKeyCredential: Buffer.from(JSON.stringify(credential)).toString("base64"),
  tokenName: "k",
};

/** Everything by which users change how they sign in, with its fields besides the id of the user. */
const second: Readonly<Record<string, object>> = {
  SetEmail: { email: "new@mail.example" },
  SetPhone: { phone: "+41791234567" },
  RemovePhone: {},
  UpdateUser: { username: "renamed" },
  UpdateHumanUser: { username: "renamed" },
  RegisterPasskey: {},
  VerifyPasskeyRegistration: { passkeyId: "1", publicKeyCredential: credential, passkeyName: "k" },
  RemovePasskey: { passkeyId: "1" },
  RegisterU2F: { domain: "localhost" },
  VerifyU2FRegistration: { u2fId: "1", publicKeyCredential: credential, tokenName: "k" },
  RemoveU2F: { u2fId: "1" },
  RegisterTOTP: {},
  VerifyTOTPRegistration: { code: "123456" },
  RemoveTOTP: {},
  AddOTPSMS: {},
  RemoveOTPSMS: {},
  AddOTPEmail: {},
  RemoveOTPEmail: {},
  GenerateRecoveryCodes: { count: 3 },
  RemoveRecoveryCodes: {},
  AddIDPLink: { idpLink: { idpId: "1", userId: "x", userName: "x" } },
  RemoveIDPLink: { idpId: "1", linkedUserId: "x" },
};
const first: Readonly<Record<string, object>> = {
  UpdateMyUserName: { userName: "renamed" },
  SetMyEmail: { email: "new@mail.example" },
  SetMyPhone: { phone: "+41791234567" },
  RemoveMyPhone: {},
  AddMyAuthFactorOTP: {},
  VerifyMyAuthFactorOTP: { code: "123456" },
  RemoveMyAuthFactorOTP: {},
  AddMyAuthFactorOTPSMS: {},
  RemoveMyAuthFactorOTPSMS: {},
  AddMyAuthFactorOTPEmail: {},
  RemoveMyAuthFactorOTPEmail: {},
  AddMyAuthFactorU2F: {},
  RemoveMyAuthFactorU2F: { tokenId: "1" },
  AddMyPasswordless: {},
  RemoveMyPasswordless: { tokenId: "1" },
  AddMyPasswordlessLink: {},
  SendMyPasswordlessLink: {},
  RemoveMyLinkedIDP: { idpId: "1", linkedUserId: "x" },
};
/** Methods that need a started registration; without one it is reported as absent first. */
const afterBeginning: Readonly<Record<string, object>> = {
  VerifyMyAuthFactorU2F: { verification },
  VerifyMyPasswordless: { verification },
};

serversInTurn((start, test) => {
  test("a token that is not of a recent sign-in changes nothing about the account's credentials", async (t) => {
    const server = await start(t);
    const users = "service.user.v2.UserService";
    const auth = "service.auth.v1.AuthService";
    const ada = await addPerson(server, { username: "ada" });
    const { userId } = ada;
    const ask = async (path: string, body: object, token: string) =>
      slugOf(await server.connect(path, body, { token }));
    const calls = [
      ...Object.entries(second).map(([name, body]) => [`${users}/${name}`, { userId, ...body }] as const),
      ...Object.entries(first).map(([name, body]) => [`${auth}/${name}`, body] as const),
    ];
    const { token } = await sessionOf(server, ada);
    const late = Object.entries(afterBeginning).map(([name, body]) => [`${auth}/${name}`, body] as const);
    for (const [path] of late) await ask(path.replace("/Verify", "/Add"), {}, token);
    server.clock.now += minutes(10) + 1;
    for (const [path, body] of [...calls, ...late]) {
      assert.equal(await ask(path, body, token), "authentication.too_old", path);
    }
    // RFC 9470 §3: what an application has to ask for, whichever transport it uses.
    const challenge =
      'Bearer error="insufficient_user_authentication", error_description="The sign-in is too old", max_age="600"';
    const overRest = await server.rest("POST", `/v2/users/${userId}/totp`, { body: {}, token });
    assert.deepEqual([overRest.status, overRest.headers.get("www-authenticate")], [403, challenge]);
    const overConnect = await server.connect(`${users}/RegisterTOTP`, { userId }, { token });
    assert.deepEqual([overConnect.status, overConnect.headers.get("www-authenticate")], [403, challenge]);
    const other = await server.rest("POST", "/v2/organizations", { body: { name: "Mine" }, token });
    assert.deepEqual([other.status, other.headers.get("www-authenticate")], [403, null]);
    const { body: read } = await server.connect(`${users}/GetUserByID`, { userId });
    assert.equal(read.user.human.email.email, "ada@mail.example");
    assert.equal(read.user.username, "ada");
    // What opens nothing, and what has a proof of its own.
    const profile = { userId, human: { profile: { givenName: "A", familyName: "L" } } };
    assert.equal(await ask(`${users}/UpdateUser`, profile, token), "done");
    const passwords = { currentPassword: goodPassword, newPassword: { password: `${goodPassword} 2` } };
    assert.equal(await ask(`${users}/SetPassword`, { userId, ...passwords }, token), "done");

    const bob = await addPerson(server, { username: "bob" });
    const fresh = await sessionOf(server, bob);
    server.clock.now += minutes(10);
    for (const [path, body] of calls) {
      const slug = await ask(path, { ...body, ...("userId" in body && { userId: bob.userId }) }, fresh.token);
      assert.notEqual(slug, "authentication.too_old", path);
    }
  });

  test("a password checked just now is not enough if the second factor is older", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const secret = await addApp(server, ada, (made) => appCode(made, server.clock.now));
    const { sessionId } = await sessionOf(server, ada);
    const check = async (checks: object): Promise<string> => {
      const { body, status } = await setSession(server, sessionId, { checks });
      assert.equal(status, 200, JSON.stringify(body));
      return body.sessionToken;
    };
    const remove = async (token: string) =>
      slugOf(await server.connect("service.user.v2.UserService/RemoveTOTP", { userId: ada.userId }, { token }));
    await check({ totp: { code: appCode(secret, server.clock.now) } });
    server.clock.now += minutes(10) + 1;
    assert.equal(await remove(await check({ password: { password: ada.password } })), "authentication.too_old");
    assert.equal(await remove(await check({ totp: { code: appCode(secret, server.clock.now) } })), "done");
  });
});
