import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ExpressAuth, getSession } from "@auth/express";
import zitadel from "@auth/express/providers/zitadel";
import { startOidcServer } from "../../server/test/support/oidc/oidc.ts";
import { signInByForms, startExpressApp } from "../support/relying-party.ts";

interface Registered {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const own = { id: "doorward", name: "Doorward", type: "oidc", checks: ["pkce", "state", "nonce"] } as const;
const withProfile = { idTokenUserinfoAssertion: true };

// The library takes the profile from the id token, where an application has to ask us for it, or is told to ask
// userinfo.
for (const [what, toProvider, registration] of [
  ["the profile from the id token", (client: Registered) => ({ ...own, ...client }), withProfile],
  ["the profile from userinfo", (client: Registered) => ({ ...own, ...client, idToken: false }), {}],
  ["by its provider for clients that say zitadel", (client: Registered) => zitadel({ ...client }), withProfile],
] as const) {
  test(`Auth.js, ${what}: sign-in, session, sign-out`, async (t) => {
    await signInAndOut(t, toProvider, registration);
  });
}

async function signInAndOut(
  t: TestContext,
  toProvider: (client: Registered) => { readonly id: string },
  registration: object,
): Promise<void> {
  const server = await startOidcServer(t, { now: Date.now() });
  const { app, origin, browser } = await startExpressApp(t);
  const { id } = toProvider({ issuer: server.origin, clientId: "", clientSecret: "" });
  const { clientId, clientSecret } = await server.createClient({
    redirectUris: [`${origin}/auth/callback/${id}`],
    developmentMode: true,
    ...registration,
  });
  const options = {
    secret: "a long secret of the application, for its cookie",
    trustHost: true,
    providers: [toProvider({ issuer: server.origin, clientId, clientSecret })],
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
  const sent = await post(`/auth/signin/${id}`);
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
