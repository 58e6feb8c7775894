import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import type { Ending } from "../support/databases/databases.ts";
import { makeProof, makeProofKey, type ProofKey } from "../support/oidc/dpop.ts";
import { type FormAnswer, type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";
import { makeBuild } from "../support/servers/console-build.ts";
import type { ServerOptions } from "../support/servers/server.ts";
import { adoptSession } from "../support/sign-in/adopt-session.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";

/** Starts a server whose console was built. */
export async function startConsole(t: Ending, options: ServerOptions = {}): Promise<OidcServer> {
  return startOidcServer(t, { consoleDirectory: makeBuild(t), ...options });
}

/** Opens the console, and returns the client id in its document. */
export async function openConsole(server: Pick<OidcServer, "origin">): Promise<string> {
  const { status, html } = await new TestBrowser(server).open("/ui/console/");
  assert.equal(status, 200, html);
  return /name="doorward-client-id" content="([^"]+)"/.exec(html)?.[1] ?? "";
}

/** Signs a user in to the hosted login of the server, by default its user. */
export async function signedInBrowser(
  server: OidcServer,
  { userId, password }: { readonly userId: string; readonly password: string } = server.user,
): Promise<TestBrowser> {
  const checks = { user: { userId }, password: { password } };
  const { body } = await server.rest("POST", "/v2/sessions", { body: { checks } });
  const { cookie } = await adoptSession(server, body.sessionId);
  const browser = new TestBrowser(server);
  const [name = "", value = ""] = cookie.split("=");
  browser.cookies.set(name, value);
  return browser;
}

/** The parameters of a request of the console; undefined leaves one out. */
type Asked = Readonly<Record<string, string | undefined>>;

const scope = "openid profile urn:service:iam:org:project:id:service:aud";

/** What a browser says of the console's own fetch. */
const asFetch = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" };

/** Asks for a code without a page, as the console does, and follows redirects. Returns where that ended. */
export async function askSilently(server: OidcServer, browser: TestBrowser, clientId: string, asked: Asked = {}) {
  const codeVerifier = randomBytes(32).toString("base64url");
  const parameters: Asked = {
    client_id: clientId,
    redirect_uri: `${server.origin}/ui/console/return`,
    response_type: "code",
    scope,
    prompt: "none",
    state: "here",
    code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    code_challenge_method: "S256",
    ...asked,
  };
  const query = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const page = await browser.open(`/oauth/v2/authorize?${query}`, asFetch);
  const at = new URL(page.address, server.origin);
  return { page, at, codeVerifier, code: at.searchParams.get("code") ?? "", error: at.searchParams.get("error") };
}

/** Redeems a code of the console; without a key there is no proof. */
export async function redeem(
  server: OidcServer,
  clientId: string,
  { code, codeVerifier }: { readonly code: string; readonly codeVerifier: string | undefined },
  key?: ProofKey,
): Promise<FormAnswer> {
  const path = "/oauth/v2/token";
  const form = {
    grant_type: "authorization_code",
    client_id: clientId,
    code,
    redirect_uri: `${server.origin}/ui/console/return`,
    ...(codeVerifier !== undefined && { code_verifier: codeVerifier }),
  };
  if (key === undefined) return server.form(path, form);
  const first = await server.form(path, form, { dpop: await makeProof(server, key, { path }) });
  const nonce = first.headers.get("dpop-nonce") ?? "";
  return server.form(path, form, { dpop: await makeProof(server, key, { path, nonce }) });
}

/** Signs a browser's user in to the console: a token and the key that it is bound to. */
export async function consoleToken(server: OidcServer, browser: TestBrowser, clientId: string) {
  const key = await makeProofKey();
  const asked = await askSilently(server, browser, clientId);
  const { status, body } = await redeem(server, clientId, asked, key);
  assert.equal(status, 200, JSON.stringify(body));
  return { key, tokens: body, accessToken: String(body.access_token) };
}

/** Calls a method with a token of the console and a proof. */
export async function callWith(
  server: OidcServer,
  { key, accessToken }: { readonly key: ProofKey; readonly accessToken: string },
  path: string,
  body: object,
) {
  const dpop = await makeProof(server, key, { path, accessToken });
  return server.rest("POST", path, { token: null, body, headers: { authorization: `DPoP ${accessToken}`, dpop } });
}
