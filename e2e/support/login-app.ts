import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import type { TestContext } from "node:test";
import { createLoginApp } from "../../examples/login-app/server.ts";
import { createWebApp } from "../../examples/web-app/server.ts";
import { freePort } from "../../server/test/support/http/free-port.ts";
import { type OidcServer, startOidcServer, type TestClient } from "../../server/test/support/oidc/oidc.ts";
import type { Person } from "../../server/test/support/people/people.ts";
import { type ShownPage, TestBrowser } from "../../server/test/support/sign-in/test-browser.ts";

/** The login of examples/login-app before a server, and the application of examples/web-app that it serves. */
export interface LoginApp {
  readonly server: OidcServer;
  /** Origin of the login. */
  readonly login: string;
  /** Origin of the application. */
  readonly shop: string;
  readonly client: TestClient;
  /** Where a browser sets out for the application, on the server's own origin. */
  authorize(parameters?: Readonly<Record<string, string>>): string;
}

/** Starts all three. Their clocks are those of the machine: libraries look at their own. */
export async function startLoginApp(t: TestContext): Promise<LoginApp> {
  const server = await startOidcServer(t, { now: Date.now() });
  const [login, shop] = [`http://localhost:${await freePort()}`, `http://localhost:${await freePort()}`];
  const client = await server.createClient({
    redirectUris: [`${shop}/callback`],
    postLogoutRedirectUris: [`${shop}/`],
    loginVersion: { loginV2: { baseUri: login } },
  });
  const { clientId, clientSecret } = client;
  const key = randomBytes(32);
  await listen(t, createLoginApp({ issuer: server.origin, token: server.loginToken, origin: login, key }), login);
  await listen(t, createWebApp({ issuer: server.origin, clientId, clientSecret, origin: shop }), shop);
  return {
    server,
    login,
    shop,
    client,
    authorize: (parameters = {}) => {
      const query = new URLSearchParams({
        client_id: clientId,
        redirect_uri: `${shop}/callback`,
        response_type: "code",
        scope: "openid",
        code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        code_challenge_method: "S256",
        ...parameters,
      });
      return `${server.origin}/oauth/v2/authorize?${query}`;
    },
  };
}

/** What people do at the login, without script. */
export function visitorOf(app: LoginApp, browser = new TestBrowser({ origin: app.login })) {
  /** Sets out at the application; the server sends the browser to the login. */
  const start = async (parameters?: Readonly<Record<string, string>>): Promise<ShownPage> => {
    const sent = await fetch(app.authorize(parameters), { redirect: "manual" });
    const { origin, pathname, search } = new URL(sent.headers.get("location") ?? "");
    assert.equal(origin, app.login);
    return browser.open(pathname + search);
  };
  const name = async (page: ShownPage, loginName: string) => browser.submit(page, { loginName }, { action: "/name" });
  const password = async (page: ShownPage, typed: string) =>
    browser.submit(page, { password: typed }, { action: "/password" });
  return {
    browser,
    start,
    name,
    password,
    signIn: async ({ loginName, password: typed }: Person, parameters?: Readonly<Record<string, string>>) =>
      password(await name(await start(parameters), loginName), typed),
  };
}

/** What came of a step: "code", the error that the application gets, or the path of the page. */
export const answerOf = ({ address }: ShownPage): string => {
  const { searchParams } = new URL(address, "http://page.invalid");
  return searchParams.get("error") ?? (searchParams.has("code") ? "code" : (address.split("?")[0] ?? ""));
};

async function listen(t: TestContext, app: Server, origin: string): Promise<void> {
  app.listen(Number(new URL(origin).port), "localhost");
  await once(app, "listening");
  t.after(() => {
    app.close();
    app.closeAllConnections();
  });
}
