import assert from "node:assert/strict";
import { test } from "node:test";
import session from "express-session";
import passport from "passport";
import { type Profile, Strategy, type VerifyCallback } from "passport-openidconnect";
import { startOidcServer } from "../../server/test/support/oidc/oidc.ts";
import { signInByForms, startExpressApp } from "../support/relying-party.ts";

test("passport-openidconnect: sign-in with profile; an unsolicited answer is refused", async (t) => {
  const server = await startOidcServer(t, { now: Date.now() });
  const { app, origin, browser } = await startExpressApp(t);
  // The library sends its secret in the body, and knows neither PKCE nor discovery.
  const { clientId, clientSecret } = await server.createClient({
    redirectUris: [`${origin}/callback`],
    authMethodType: "OIDC_AUTH_METHOD_TYPE_POST",
    developmentMode: true,
  });
  const strategies = new passport.Passport();
  strategies.use(
    new Strategy(
      {
        issuer: server.origin,
        authorizationURL: `${server.origin}/oauth/v2/authorize`,
        tokenURL: `${server.origin}/oauth/v2/token`,
        userInfoURL: `${server.origin}/oidc/v1/userinfo`,
        clientID: clientId,
        clientSecret,
        callbackURL: `${origin}/callback`,
        scope: ["profile", "email"],
        skipUserProfile: false,
      },
      (_issuer: string, profile: Profile, done: VerifyCallback) => done(null, profile),
    ),
  );
  strategies.serializeUser((user, done) => done(null, user));
  strategies.deserializeUser((user: Express.User, done) => done(null, user));
  app.use(session({ secret: "of the application", resave: false, saveUninitialized: false }));
  app.use(strategies.session());
  app.get("/sign-in", strategies.authenticate("openidconnect"));
  app.get(
    "/callback",
    strategies.authenticate("openidconnect", { failureRedirect: "/refused" }),
    (_request, response) => response.redirect("/profile"),
  );
  app.get("/refused", (_request, response) => void response.status(403).send("refused"));
  app.get("/profile", (request, response) => void response.json(request.user ?? null));

  const asked = await browser.open("/sign-in");
  const callback = await signInByForms(server, asked.address);
  const profile = await browser.open(callback);
  assert.equal(profile.address, "/profile", profile.html);
  const { id, displayName, emails } = JSON.parse(profile.html);
  assert.equal(id, server.user.userId);
  assert.equal(displayName, "Ada Lovelace");
  assert.equal(emails[0].value, "ada@example.com");
  assert.equal((await browser.open(callback)).status, 403, "the same answer was taken twice");
});
