import assert from "node:assert/strict";
import { callUser, refusalOf } from "../../factor/support.ts";
import { knowProvider } from "../../identity-provider/attempts.ts";
import { startTestProvider } from "../../support/identity-provider/test-provider.ts";
import { registered, setRegistration } from "../../support/oidc/registration.ts";
import { addOwnedOrganization, addServiceAccount } from "../../support/people/owners.ts";
import { addPerson, appoint, defaultOrganization } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { type Start, serversInTurn } from "../../support/servers/each-server.ts";
import { createAuthenticator } from "../../support/sign-in/authenticator.ts";
import { addClient, redirectUri } from "../../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";
import { isBack, signedIn, visit } from "../support/sign-in.ts";
import { codeTo, findPeople, grace, isAsked, messagesTo } from "../support/sign-up.ts";

const address = "vera@mail.example";
const phone = "+41791112233";
const known = "what mallory alone knows";
const own = "a sentence that only vera knows";
const permissions = "service.internal_permission.v2.InternalPermissionService";

type Kind = "initialization" | "invitation";

/** A server with a sign-in application, which makes accounts with unproven addresses. */
async function setUp(start: Start, t: Parameters<Start>[0]) {
  const server = await start(t);
  await changeSettings(server, "login", { allowRegister: true });
  const home = await defaultOrganization(server);
  const login = await addServiceAccount(server, home, "custom-login");
  await appoint(server, login, { instance: true }, ["IAM_LOGIN_CLIENT"]);
  const profile = { givenName: "Vera", familyName: "Real" };
  const email = { email: address, sendCode: {} };
  /** Makes the account, as the sign-in application or as an owner of the instance. */
  const make = async (more: object, by: "application" | "owner" = "application"): Promise<string> => {
    const human = { profile, email, ...more };
    const token = by === "owner" ? undefined : login.token;
    return (await callUser(server, "CreateUser", { organizationId: home, human }, token)).id;
  };
  /** The owner of the address registers with it on the hosted pages, and gets the message. */
  const register = async () => {
    const { browser, page } = await visit(server, await addClient(server), { prompt: "create" });
    assert.ok(isAsked(await browser.submit(page, { ...grace, email: address })));
    const [message] = await messagesTo(server, address);
    assert.equal(message?.kind, "initialization");
    return message?.code ?? "";
  };
  const invite = async (userId: string) => {
    await callUser(server, "CreateInviteCode", { userId, sendCode: {} }, login.token);
    const [message] = await messagesTo(server, address);
    assert.equal(message?.kind, "invitation");
    return message?.code ?? "";
  };
  const begin = async (kind: Kind, userId: string, code: string) => {
    const browser = new TestBrowser(server);
    const form = await browser.open(`/ui/login/${kind}?user=${userId}&code=${code}`);
    const set = await browser.submit(form, { new_password: own, new_password_repeated: own });
    assert.match(set.address, /password-set/, set.html);
    await signedIn(server, { loginName: address, password: own });
  };
  const verifyPhone = async (userId: string): Promise<string> => {
    const [message] = await messagesTo(server, phone);
    const verificationCode = message?.code ?? "no code";
    return refusalOf(server, "VerifyPhone", { userId, verificationCode }, login.token);
  };
  /** Whether a code to the number lets its reader choose the password. */
  const opensByPhone = async (userId: string): Promise<boolean> => {
    server.clock.now += 120_000;
    const reset = { userId, sendLink: { notificationType: "NOTIFICATION_TYPE_SMS" } };
    if ((await refusalOf(server, "PasswordReset", reset, login.token)) !== "done") return false;
    const verificationCode = await codeTo(server, phone);
    const newPassword = { password: "the reader of the number chose it" };
    const said = await refusalOf(server, "SetPassword", { userId, newPassword, verificationCode }, login.token);
    return said === "done";
  };
  return { server, home, login, make, register, invite, begin, verifyPhone, opensByPhone };
}

serversInTurn((start, test) => {
  test("a number that is entered after the message opens nothing once the account has begun", async (t) => {
    for (const isProven of [true, false]) {
      const { server, make, register, begin, verifyPhone, opensByPhone } = await setUp(start, t);
      const userId = await make({ password: { password: known } });
      const mallory = await signedIn(server, { loginName: address, password: known });
      const code = await register();
      const asked = await mallory.submit(
        await mallory.open("/ui/account/phone"),
        { phone },
        { action: "account/phone" },
      );
      assert.match(asked.address, /phone\/code/);
      if (isProven) assert.equal(await verifyPhone(userId), "done");
      await begin("initialization", userId, code);
      if (!isProven) assert.notEqual(await verifyPhone(userId), "done");
      assert.equal(await opensByPhone(userId), false);
      await signedIn(server, { loginName: address, password: own });
    }
  });

  test("nor does a number that a sign-in application entered for an invited user", async (t) => {
    for (const isLate of [false, true]) {
      const { server, make, invite, begin, verifyPhone, opensByPhone } = await setUp(start, t);
      const userId = await make({ phone: { phone, sendCode: {} } });
      if (!isLate) assert.equal(await verifyPhone(userId), "done");
      await begin("invitation", userId, await invite(userId));
      if (isLate) assert.notEqual(await verifyPhone(userId), "done");
      assert.equal(await opensByPhone(userId), false);
      await signedIn(server, { loginName: address, password: own });
    }
  });

  test("nor one of an account that is yet to begin", async (t) => {
    const { server, login, register, begin, verifyPhone, opensByPhone } = await setUp(start, t);
    const body = {
      userName: address,
      profile: { firstName: "Vera", lastName: "Real" },
      email: { email: address },
      phone: { phone },
      initialPassword: known,
    };
    const made = await server.rest("POST", "/management/v1/users/human", { token: login.token, body });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    assert.equal(await verifyPhone(made.body.userId), "done");
    server.clock.now += 3_600_000;
    await begin("initialization", made.body.userId, await register());
    assert.equal(await opensByPhone(made.body.userId), false);
  });

  test("nor one of an account whose address its owner had confirmed before", async (t) => {
    for (const kind of ["initialization", "invitation"] as const) {
      const { server, login, make, register, invite, begin, verifyPhone, opensByPhone } = await setUp(start, t);
      const password = kind === "initialization" ? { password: { password: known } } : {};
      const userId = await make({ phone: { phone, sendCode: {} }, ...password });
      const verificationCode = await codeTo(server, address);
      if (kind === "initialization") await callUser(server, "RemovePhone", { userId });
      else assert.equal(await verifyPhone(userId), "done");
      const code = kind === "initialization" ? await register() : "";
      if (kind === "initialization") {
        const mallory = await signedIn(server, { loginName: address, password: known });
        await mallory.submit(await mallory.open("/ui/account/phone"), { phone }, { action: "account/phone" });
        assert.equal(await verifyPhone(userId), "done");
      }
      assert.equal(await refusalOf(server, "VerifyEmail", { userId, verificationCode }, login.token), "done");
      await begin(kind, userId, code || (await invite(userId)));
      assert.equal(await opensByPhone(userId), false, kind);
    }
  });

  test("a number that an administrator entered stays", async (t) => {
    const { server, make, invite, begin, opensByPhone } = await setUp(start, t);
    const userId = await make({ phone: { phone, isVerified: true } }, "owner");
    await begin("invitation", userId, await invite(userId));
    assert.equal(await opensByPhone(userId), true);
    await assert.rejects(signedIn(server, { loginName: address, password: own }));
  });

  test("consents and accepted positions end, and those of others stay", async (t) => {
    const { server, make, register, begin } = await setUp(start, t);
    const userId = await make({ password: { password: known } });
    await setRegistration(server, "open");
    const metadata = { client_name: "Stranger", redirect_uris: [redirectUri], token_endpoint_auth_method: "none" };
    const { client_id: clientId } = await registered(server, metadata, null);
    const client = await addClient(server);
    const open = (browser: TestBrowser) => visit(server, client, { client_id: clientId }, browser);
    const agree = async (browser: TestBrowser) => {
      const { page } = await open(browser);
      assert.match(page.address, /\/ui\/login\/consent/);
      assert.ok(isBack(await browser.submit(page, { decision: "allow" }, { action: "/ui/login/consent" })));
    };
    const mallory = await signedIn(server, { loginName: address, password: known });
    await agree(mallory);
    const near = await addOwnedOrganization(server, "Near");
    const resource = { organizationId: near.organizationId };
    const position = { userId, resource, roles: ["ORG_OWNER_VIEWER"] };
    const offered = await server.connect(`${permissions}/CreateAdministrator`, position, { token: near.token });
    assert.equal(offered.status, 200, JSON.stringify(offered.body));
    const list = await mallory.open("/ui/account/appointments");
    const href = /href="(\/ui\/account\/appointments\/accept[^"]*)"/.exec(list.html)?.[1]?.replaceAll("&amp;", "&");
    await mallory.submit(await mallory.open(href ?? ""));
    const administrators = async () =>
      JSON.stringify(
        (await server.connect(`${permissions}/ListAdministrators`, {}, { token: near.token })).body.administrators,
      );
    assert.match(await administrators(), new RegExp(userId));

    const ada = await addPerson(server, { username: "ada" });
    const other = await signedIn(server, ada);
    await agree(other);
    await begin("initialization", userId, await register());
    const vera = await signedIn(server, { loginName: address, password: own });
    assert.match((await open(vera)).page.address, /\/ui\/login\/consent/, "she is asked");
    assert.doesNotMatch(await administrators(), new RegExp(userId));
    assert.ok(isBack((await open(other)).page), "other users are not asked again");
  });

  test("passkeys that were registered before end", async (t) => {
    const { server, login, register, begin } = await setUp(start, t);
    const body = { userName: address, profile: { firstName: "Vera", lastName: "Real" }, email: { email: address } };
    const made = await server.rest("POST", "/management/v1/users/human/_import", {
      token: login.token,
      body: { ...body, requestPasswordlessRegistration: true },
    });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const { userId, passwordlessRegistration } = made.body;
    const link = new URL(passwordlessRegistration.link);
    const device = createAuthenticator({ origin: "http://localhost" });
    const started = await callUser(server, "RegisterPasskey", {
      userId,
      code: { id: link.searchParams.get("id"), code: link.searchParams.get("code") },
      domain: "localhost",
    });
    await callUser(server, "VerifyPasskeyRegistration", {
      userId,
      passkeyId: started.passkeyId,
      publicKeyCredential: device.create(started.publicKeyCredentialCreationOptions),
      passkeyName: "Mallory's",
    });
    const passkeys = async () => (await callUser(server, "ListPasskeys", { userId })).result ?? [];
    assert.equal((await passkeys()).length, 1);
    await begin("initialization", userId, await register());
    assert.deepEqual(await passkeys(), []);
  });

  test("accounts at providers end if the address was not proven before", async (t) => {
    for (const isProven of [false, true]) {
      const { server, invite, begin } = await setUp(start, t);
      const provider = await startTestProvider(t, () => server.clock.now);
      const idp = await knowProvider(server, provider, { options: { isAutoCreation: true } });
      await changeSettings(server, "login", { identityProviderIds: [idp], ignoreUnknownUsernames: false });
      provider.user = { sub: "1", given_name: "V", family_name: "R", email: address, email_verified: isProven };
      const signInThere = async () => {
        server.clock.now += 10_000;
        const { browser, page } = await visit(server, await addClient(server), {
          scope: `openid urn:service:iam:org:idp:id:${idp}`,
        });
        const back = provider.signIn(page.address);
        return browser.open(back.pathname + back.search);
      };
      assert.ok(isBack(await signInThere()));
      const [user] = await findPeople(server, address);
      await begin("invitation", user?.userId ?? "", await invite(user?.userId ?? ""));
      assert.equal(isBack(await signInThere()), isProven);
    }
  });
});
