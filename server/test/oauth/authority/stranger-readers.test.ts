import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { signedIn } from "../../login/support/sign-in.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { basicOf, type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";
import { registered, setRegistration } from "../../support/oidc/registration.ts";
import { addServiceAccount } from "../../support/people/owners.ts";
import { appoint, defaultOrganization } from "../../support/people/people.ts";
import type { TestBrowser } from "../../support/sign-in/test-browser.ts";

const redirectUri = "https://shop.example/callback";
const password = "correct horse battery staple";

interface Application {
  readonly clientId: string;
  readonly basic: { readonly authorization: string };
}

/** An application that a stranger registered, and one of the same organization that its administrators made. */
async function makeApplications(server: OidcServer) {
  await setRegistration(server, "open");
  const { client_id: clientId, client_secret: secret } = await registered(
    server,
    { redirect_uris: [redirectUri], client_name: "Shop" },
    null,
  );
  const stranger: Application = { clientId, basic: basicOf(clientId, secret) };
  return { stranger, own: await server.createClient({ redirectUris: [redirectUri] }) };
}

/** Signs the browser's user in to the application, who agrees when asked; returns what it is told. */
async function told(server: OidcServer, browser: TestBrowser, { clientId, basic }: Application, scope: string) {
  const codeVerifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope,
    code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  const page = await browser.open(`/oauth/v2/authorize?${query.toString()}`);
  const isAsked = page.address.startsWith("/ui/login/consent");
  const back = isAsked ? await browser.submit(page, { decision: "allow" }, { action: "/ui/login/consent" }) : page;
  const code = new URL(back.address).searchParams.get("code") ?? "";
  const grant = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: codeVerifier };
  const { body: tokens } = await server.form("/oauth/v2/token", grant, basic);
  const { body: userinfo } = await server.rest("GET", "/oidc/v1/userinfo", { token: tokens.access_token });
  const { body: introspected } = await server.form("/oauth/v2/introspect", { token: tokens.access_token }, basic);
  assert.equal(introspected.active, true, JSON.stringify(tokens));
  return { userinfo, introspected };
}

enginesInTurn((engine, test) => {
  test("an application of a stranger gets a login name with the scope that shows it alone (A32)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { stranger, own } = await makeApplications(server);
    const browser = await signedIn(server, server.user);
    const nameTo = async (by: Application, scope: string) =>
      (await told(server, browser, by, scope)).introspected.username;
    assert.equal(await nameTo(stranger, "openid"), undefined);
    assert.equal(await nameTo(stranger, "openid profile"), server.user.loginName);
    assert.equal(await nameTo(own, "openid"), server.user.loginName);
  });

  test("the word of an organization verifies no address for an application of a stranger (A13)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { stranger, own } = await makeApplications(server);
    const organizationId = await defaultOrganization(server);
    const manager = await addServiceAccount(server, organizationId, "manager");
    await appoint(server, manager, { organizationId }, ["ORG_USER_MANAGER"]);
    const verifiedFor = async (username: string, token?: string) => {
      const made = await server.rest("POST", "/v2/users/new", {
        ...(token !== undefined && { token }),
        body: {
          organizationId,
          username,
          human: {
            profile: { givenName: "A", familyName: "B" },
            email: { email: `${username}@mail.example`, isVerified: true },
            password: { password, changeRequired: false },
          },
        },
      });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      const browser = await signedIn(server, { loginName: `${username}@doorward.localhost`, password });
      const [strangers, ours] = [
        await told(server, browser, stranger, "openid email"),
        await told(server, browser, own, "openid email"),
      ];
      const shown = [strangers.userinfo.email_verified, strangers.introspected.email_verified];
      return [...shown, ours.userinfo.email_verified, ours.introspected.email_verified];
    };
    assert.deepEqual(await verifiedFor("mallory", manager.token), [false, false, true, true]);
    assert.deepEqual(await verifiedFor("vera"), [true, true, true, true], "the word of the instance");
    const trusting = { skipConsentAcrossOrganizations: true };
    const set = await server.connect("service.settings.v2.SettingsService/SetSecuritySettings", trusting);
    assert.equal(set.status, 200, JSON.stringify(set.body));
    await setRegistration(server, "open");
    const among = await verifiedFor("malice", manager.token);
    assert.deepEqual(among, [false, false, true, true], "organizations that trust one another vouch for none");
  });
});
