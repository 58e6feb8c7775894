import assert from "node:assert/strict";
import { test } from "node:test";
import openidConnect from "express-openid-connect";
import { startOidcServer } from "../../server/test/support/oidc/oidc.ts";
import { TestBrowser } from "../../server/test/support/sign-in/test-browser.ts";
import { signInByForms, startExpressApp } from "../support/relying-party.ts";

const { auth, requiresAuth } = openidConnect;

test("express-openid-connect: sign-in, userinfo, refresh, sign-out here and there", async (t) => {
  const server = await startOidcServer(t, { now: Date.now() });
  const { app, origin, browser } = await startExpressApp(t);
  const { clientId, clientSecret } = await server.createClient({
    redirectUris: [`${origin}/callback`],
    postLogoutRedirectUris: [origin],
    developmentMode: true,
  });
  app.use(
    auth({
      issuerBaseURL: server.origin,
      baseURL: origin,
      clientID: clientId,
      clientSecret,
      secret: "a long secret of the application, for its cookie",
      authRequired: false,
      idpLogout: true,
      authorizationParams: { response_type: "code", scope: "openid profile email offline_access" },
    }),
  );
  app.get("/profile", requiresAuth(), async (request, response) => {
    response.json({ claims: request.oidc.user, info: await request.oidc.fetchUserInfo() });
  });
  app.get("/refresh", requiresAuth(), async (request, response) => {
    const { accessToken } = request.oidc;
    const before = accessToken?.access_token;
    const after = await accessToken?.refresh();
    response.json({ isNew: after !== undefined && after.access_token !== before });
  });

  const person = new TestBrowser(server);
  const asked = await browser.open("/profile");
  const profile = await browser.open(await signInByForms(server, asked.address, person));
  assert.equal(profile.address, "/profile", profile.html);
  const { claims, info } = JSON.parse(profile.html);
  assert.equal(claims.sub, server.user.userId);
  assert.equal(info.email, "ada@example.com");
  assert.deepEqual(JSON.parse((await browser.open("/refresh")).html), { isNew: true });

  const out = await browser.open("/logout");
  const { pathname, search } = new URL(out.address);
  const ended = await person.open(pathname + search);
  assert.equal(new URL(ended.address).origin, origin, ended.html);
  // Signed out at both: the application asks again, and so does the login.
  const again = await browser.open("/profile");
  const { pathname: path, search: query } = new URL(again.address);
  assert.match((await person.open(path + query)).html, /name="login_name"/);
});

test("express-openid-connect with its defaults: an id token by form post, without a secret", async (t) => {
  const server = await startOidcServer(t, { now: Date.now() });
  const { app, origin, browser } = await startExpressApp(t);
  const { clientId } = await server.createClient({
    redirectUris: [`${origin}/callback`],
    responseTypes: ["OIDC_RESPONSE_TYPE_ID_TOKEN"],
    grantTypes: ["OIDC_GRANT_TYPE_IMPLICIT"],
    idTokenUserinfoAssertion: true,
    developmentMode: true,
  });
  const secret = "a long secret of the application, for its cookie";
  app.use(auth({ issuerBaseURL: server.origin, baseURL: origin, clientID: clientId, secret }));
  app.get("/profile", (request, response) => void response.json(request.oidc.user));

  const asked = new URL((await browser.open("/profile")).address);
  assert.equal(asked.searchParams.get("response_mode"), "form_post");
  const person = new TestBrowser(server);
  const name = await person.open(asked.pathname + asked.search);
  const password = await person.submit(name, { login_name: server.user.loginName });
  const [form] = (await person.submit(password, { password: server.user.password })).forms;
  assert.equal(form?.action, `${origin}/callback`);
  const body = new URLSearchParams(form.values.map(([field, value]) => [field, value]));
  const taken = await browser.send("/callback", { method: "POST", body });
  assert.equal(taken.status, 302);
  assert.equal(JSON.parse((await browser.open("/profile")).html).sub, server.user.userId);
});
