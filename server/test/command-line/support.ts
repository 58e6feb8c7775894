import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import type { OidcServer } from "../support/oidc/oidc.ts";
import type { TestServer } from "../support/servers/server.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";

export const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";
const apiScope = "openid offline_access urn:service:iam:org:project:id:service:aud";
export const loopback = "http://127.0.0.1:49152/callback";

/** Returns the client id with which the command line signs in. */
export async function commandLineId(server: Pick<TestServer, "rest">): Promise<string> {
  const { status, body } = await server.rest("GET", "/.well-known/doorward", { token: null });
  assert.equal(status, 200, JSON.stringify(body));
  return body.command_line.client_id;
}

/** The parameters of a request of the command line; undefined leaves one out. */
export type Asked = Readonly<Record<string, string | undefined>>;

/** Opens the address that the command line prints. */
export async function askAs(browser: TestBrowser, clientId: string, asked: Asked = {}) {
  const codeVerifier = randomBytes(32).toString("base64url");
  const parameters: Asked = {
    client_id: clientId,
    redirect_uri: loopback,
    response_type: "code",
    scope: apiScope,
    state: "here",
    code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    code_challenge_method: "S256",
    ...asked,
  };
  const given = Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const page = await browser.open(`/oauth/v2/authorize?${new URLSearchParams(given)}`);
  return { page, codeVerifier };
}

/** What an address that a browser was sent to says. */
export const answerIn = ({ address }: ShownPage): URLSearchParams =>
  address.startsWith("http") ? new URL(address).searchParams : new URLSearchParams();

/** Signs in through the pages, and returns the page that asks whether the command line may act for the user. */
export async function walkToQuestion(
  server: OidcServer,
  page: ShownPage,
  browser: TestBrowser,
  user: { readonly loginName: string; readonly password: string } = server.user,
): Promise<ShownPage> {
  if (page.address.startsWith("/ui/login/consent")) return page;
  const named = await browser.submit(page, { login_name: user.loginName });
  return browser.submit(named, { password: user.password });
}

export const redeemCode = (
  server: Pick<OidcServer, "form">,
  clientId: string,
  { code, codeVerifier }: { readonly code: string; readonly codeVerifier: string | undefined },
) =>
  server.form("/oauth/v2/token", {
    grant_type: "authorization_code",
    client_id: clientId,
    code,
    redirect_uri: loopback,
    ...(codeVerifier !== undefined && { code_verifier: codeVerifier }),
  });

/** Signs a user in to the command line: the answer of the token endpoint. */
export async function signInToCommandLine(
  server: OidcServer,
  { browser = new TestBrowser(server), asked = {} }: { readonly browser?: TestBrowser; readonly asked?: Asked } = {},
) {
  const clientId = await commandLineId(server);
  const { page, codeVerifier } = await askAs(browser, clientId, asked);
  const question = await walkToQuestion(server, page, browser);
  const left = await browser.submit(question, { decision: "allow" });
  const code = answerIn(left).get("code") ?? "";
  const { status, body } = await redeemCode(server, clientId, { code, codeVerifier });
  assert.equal(status, 200, `${left.address} ${left.html} ${JSON.stringify(body)}`);
  return { clientId, browser, tokens: body as { access_token: string; refresh_token: string; expires_in: number } };
}

/** What the API answers to a token. */
export const callWith = async (server: Pick<TestServer, "rest">, token: string): Promise<number> =>
  (await server.rest("POST", "/v2/users", { token, body: {} })).status;

/** Refreshes the tokens. */
export const refresh = (server: Pick<OidcServer, "form">, clientId: string, token: string) =>
  server.form("/oauth/v2/token", { grant_type: "refresh_token", client_id: clientId, refresh_token: token });
