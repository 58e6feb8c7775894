import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ExpressAuth, getSession } from "@auth/express";
import { startOidcServer } from "../../server/test/support/oidc/oidc.ts";
import { signInByForms, startExpressApp } from "../support/relying-party.ts";

// The library takes the profile from the id token, where an application has to ask us for it, or is told to ask
// userinfo.
for (const [source, provider, registration] of [
  ["the id token", {}, { idTokenUserinfoAssertion: true }],
  ["userinfo", { idToken: false }, {}],
] as const) {
  test(`Auth.js, profile from ${source}: sign-in with PKCE, state and nonce; session; sign-out`, async (t) => {
    await signInAndOut(t, provider, registration);
  });
}

async function signInAndOut(t: TestContext, provider: object, registration: object): Promise<void> {
  const server = await startOidcServer(t, { now: Date.now() });
  const { app, origin, browser } = await startExpressApp(t);
  const { clientId, clientSecret } = await server.createClient({
    redirectUris: [`${origin}/auth/callback/doorward`],
    developmentMode: true,
    ...registration,
  });
  const options = {
    secret: "a long secret of the application, for its cookie",
    trustHost: true,
    providers: [
      {
        id: "doorward",
        name: "Doorward",
        type: "oidc",
        issuer: server.origin,
        clientId,
        clientSecret,
        checks: ["pkce", "state", "nonce"],
        ...provider,
      } as const,
    ],
    callbacks: {
      jwt: ({ token, profile }: { token: object; profile?: object }) => ({ ...token, ...(profile && { profile }) }),
      session: ({ session, token }: { session: object; token: object }) => ({ ...session, token }),
    },
  };
  app.use("/auth", ExpressAuth(options as never));
  app.get("/profile", async (request, response) => {
    response.json(await getSession(request, options as never));
  });
  app.get("/", (_request, response) => void response.send("start"));

  const csrf = async (): Promise<string> => JSON.parse((await browser.open("/auth/csrf")).html).csrfToken;
  const post = async (path: string): Promise<Response> =>
    browser.send(path, { method: "POST", body: new URLSearchParams({ csrfToken: await csrf(), callbackUrl: origin }) });
  assert.equal((await browser.open("/profile")).html, "null");
  const sent = await post("/auth/signin/doorward");
  const callback = await signInByForms(server, sent.headers.get("location") ?? "");
  const back = await browser.open(callback);
  assert.equal(back.html, "start");
  const session = JSON.parse((await browser.open("/profile")).html);
  assert.equal(session.user.name, "Ada Lovelace");
  assert.equal(session.user.email, "ada@example.com");
  assert.equal(session.token.profile.sub, server.user.userId);

  await post("/auth/signout");
  assert.equal((await browser.open("/profile")).html, "null");
  assert.match((await browser.open(callback)).address, /error/, "the same answer was taken twice");
}
