import assert from "node:assert/strict";
import { fetch } from "../support/http/fetch.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { addPerson, appoint, defaultOrganization, sessionOf } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";

const path = "/admin/v1/secretgenerators";
const types = [
  "INIT_CODE",
  "VERIFY_EMAIL_CODE",
  "VERIFY_PHONE_CODE",
  "PASSWORD_RESET_CODE",
  "PASSWORDLESS_INIT_CODE",
  "APP_SECRET",
  "OTP_SMS",
  "OTP_EMAIL",
  "INVITE_CODE",
].map((type) => `SECRET_GENERATOR_TYPE_${type}`);

serversInTurn((start, test) => {
  test("how codes and client secrets are made", async (t) => {
    const server = await start(t);
    const organizationId = await defaultOrganization(server);
    const { client, projectId } = await setUpOidc(server);
    const connect = async (method: string, body: object) => {
      const answer = await server.connect(`service.${method}`, body);
      assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const addFace = async (username: string, isVerified = true) => {
      const human = {
        profile: { givenName: "F", familyName: "Example" },
        email: { email: `${username}@mail.example`, isVerified },
        phone: { phone: "+41791234567", isVerified: true },
      };
      return (await connect("user.v2.UserService/CreateUser", { organizationId, username, human })).id as string;
    };
    const newest = async (email: string) => {
      const inbox = `/ui/dev/inbox?recipient=${encodeURIComponent(email)}`;
      const { body } = await server.rest("GET", inbox, { token: null, headers: { accept: "application/json" } });
      return body.messages[0] as { code: string; createdAt: string; expiresAt: string };
    };
    const userId = await addFace("faye");
    const otto = await addFace("otto");
    await connect("user.v2.UserService/AddOTPEmail", { userId: otto });
    await connect("user.v2.UserService/AddOTPSMS", { userId: otto });
    let count = 0;
    const returned = async (method: string, body: object, name: string) =>
      (await connect(`user.v2.UserService/${method}`, body))[name] as string;
    const challenge = async (kind: "otpSms" | "otpEmail") => {
      const body = { checks: { user: { userId: otto } }, challenges: { [kind]: { returnCode: true } } };
      const withCode = kind === "otpEmail" ? { ...body, challenges: { otpEmail: { returnCode: {} } } } : body;
      const made = await server.rest("POST", "/v2/sessions", { body: withCode });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return made.body.challenges[kind] as string;
    };
    // What makes one of each kind.
    const make: Record<string, () => Promise<string>> = {
      SECRET_GENERATOR_TYPE_INIT_CODE: async () => {
        const userName = `new-${++count}`;
        const email = `${userName}@mail.example`;
        const body = { userName, profile: { firstName: "N", lastName: "N" }, email: { email } };
        assert.equal((await server.rest("POST", "/management/v1/users/human", { body })).status, 200);
        return (await newest(email)).code;
      },
      SECRET_GENERATOR_TYPE_VERIFY_EMAIL_CODE: () =>
        returned("SetEmail", { userId, email: `f${++count}@mail.example`, returnCode: {} }, "verificationCode"),
      SECRET_GENERATOR_TYPE_VERIFY_PHONE_CODE: () =>
        returned("SetPhone", { userId, phone: `+4179123456${++count % 10}`, returnCode: {} }, "verificationCode"),
      SECRET_GENERATOR_TYPE_PASSWORD_RESET_CODE: () =>
        returned("PasswordReset", { userId, returnCode: {} }, "verificationCode"),
      SECRET_GENERATOR_TYPE_PASSWORDLESS_INIT_CODE: async () =>
        (await connect("user.v2.UserService/CreatePasskeyRegistrationLink", { userId, returnCode: {} })).code.code,
      SECRET_GENERATOR_TYPE_APP_SECRET: async () => {
        const { applicationId } = client;
        const body = { applicationId, projectId };
        return (await connect("application.v2.ApplicationService/GenerateClientSecret", body)).clientSecret;
      },
      SECRET_GENERATOR_TYPE_OTP_SMS: () => challenge("otpSms"),
      SECRET_GENERATOR_TYPE_OTP_EMAIL: () => challenge("otpEmail"),
      SECRET_GENERATOR_TYPE_INVITE_CODE: async () => {
        const invited = await addFace(`invited-${++count}`, false);
        return returned("CreateInviteCode", { userId: invited, returnCode: {} }, "inviteCode");
      },
    };
    const update = (type: string, body: object) => server.rest("PUT", `${path}/${type}`, { body });
    const read = async (type: string) => (await server.rest("GET", `${path}/${type}`)).body.secretGenerator;

    await t.test("each follows what is set, and the others stay", async () => {
      const listed = await server.rest("POST", `${path}/_search`, { body: { query: { asc: true } } });
      assert.deepEqual(
        listed.body.result.map(({ generatorType }: { generatorType: string }) => generatorType),
        types,
      );
      for (const type of types) {
        const isSecret = type.endsWith("APP_SECRET");
        const before = await make[type]?.();
        assert.match(
          before ?? "",
          isSecret ? /^[A-Za-z2-9]{64}$/ : type.includes("_OTP_") ? /^\d{8}$/ : /^[A-Z2-9]{6,12}$/,
        );
        const form = { length: isSecret ? 40 : 10, expiry: isSecret ? "0s" : "120s", includeLowerLetters: true };
        const set = await update(type, form);
        assert.equal(set.status, 200, JSON.stringify(set.body));
        const after = await read(type);
        assert.deepEqual([after.length, after.expiry, after.includeUpperLetters], [form.length, form.expiry, false]);
        const made = (await make[type]?.()) ?? "";
        assert.match(made, isSecret ? /^[a-km-np-z]{40}$/ : /^[a-km-np-z]{10}$/, type);
      }
      const one = await server.rest("POST", `${path}/_search`, {
        body: { queries: [{ typeQuery: { generatorType: types[5] } }] },
      });
      assert.deepEqual([one.body.details.totalResult, one.body.result[0].length], [1, 40]);
    });

    await t.test("secrets of service accounts are made like those of applications, and work", async () => {
      const robot = { organizationId, username: "robot", machine: { name: "Robot" } };
      const { id } = await connect("user.v2.UserService/CreateUser", robot);
      const { clientSecret } = await connect("user.v2.UserService/AddSecret", { userId: id });
      assert.match(clientSecret, /^[a-km-np-z]{40}$/);
      const issued = await fetch(`${server.origin}/oauth/v2/token`, {
        method: "POST",
        headers: { authorization: `Basic ${btoa(`robot:${clientSecret}`)}` },
        body: new URLSearchParams({ grant_type: "client_credentials", scope: "openid" }),
      });
      assert.equal(issued.status, 200, await issued.text());
    });

    await t.test("a code is good for as long as that, and its capitals count when it has small letters", async () => {
      const ask = async () => (await make["SECRET_GENERATOR_TYPE_VERIFY_EMAIL_CODE"]?.()) ?? "";
      const verify = async (verificationCode: string) =>
        (await server.connect("service.user.v2.UserService/VerifyEmail", { userId, verificationCode })).status;
      const code = await ask();
      assert.equal(await verify(code.toUpperCase()), 400);
      assert.equal(await verify(code), 200);
      const late = await ask();
      server.clock.now += 121_000;
      assert.equal(await verify(late), 400);
    });

    await t.test("what could be guessed, or lives too long, is refused", async () => {
      const upper = { includeUpperLetters: true };
      const rows: readonly [string, object, string][] = [
        ["INIT_CODE", { length: 4, ...upper }, "settings.code_form_invalid"],
        ["INIT_CODE", { length: 20 }, "settings.code_form_invalid"],
        ["INIT_CODE", { length: 201, ...upper }, "settings.code_form_invalid"],
        ["OTP_SMS", { length: 5, includeDigits: true }, "settings.code_form_invalid"],
        ["APP_SECRET", { length: 20, ...upper }, "settings.code_form_invalid"],
        ["APP_SECRET", { length: 64, expiry: "60s", ...upper }, "settings.lifetime_invalid"],
        ["OTP_EMAIL", { length: 8, expiry: "3600s", includeDigits: true }, "settings.lifetime_invalid"],
        ["INVITE_CODE", { length: 8, expiry: "1s", ...upper }, "settings.lifetime_invalid"],
      ];
      for (const [type, body, id] of rows) {
        const refused = await update(`SECRET_GENERATOR_TYPE_${type}`, body);
        assert.deepEqual([refused.status, refused.body.details?.[0]?.id], [400, id], JSON.stringify([type, body]));
      }
      assert.equal((await update("SECRET_GENERATOR_TYPE_UNSPECIFIED", upper)).status, 400);
      const owner = await addPerson(server, { username: "orga" });
      await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
      const { token } = await sessionOf(server, owner);
      const refused = await server.rest("PUT", `${path}/${types[0]}`, { token, body: { length: 30, ...upper } });
      assert.equal(refused.status, 403);
    });
  });
});
