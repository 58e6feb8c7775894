import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { enter } from "../../login/support/sign-in.ts";
import type { OidcServer, TestClient } from "../../support/oidc/oidc.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";

/** A browser that is signed in by the hosted login, and the tokens that an application got of that. */
export interface SignedInBrowser {
  readonly browser: TestBrowser;
  /** Its cookies, as it sends them. */
  readonly cookie: string;
  readonly tokens: { readonly [name: string]: string };
}

/** Signs a browser in to an application with a secret, unless it is signed in. */
export async function signInByBrowser(
  server: OidcServer,
  given: { readonly client?: TestClient; readonly scope?: string; readonly browser?: TestBrowser } = {},
): Promise<SignedInBrowser> {
  const { client = server.client, scope = "openid", browser = new TestBrowser(server) } = given;
  const codeVerifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: "code",
    scope,
    code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  const page = await browser.open(`/oauth/v2/authorize?${query}`);
  const back = page.address.startsWith(client.redirectUri) ? page : await enter({ browser, page }, server.user);
  const code = new URL(back.address, server.origin).searchParams.get("code") ?? assert.fail(back.address);
  const { status, body } = await server.form(
    "/oauth/v2/token",
    { grant_type: "authorization_code", code, redirect_uri: client.redirectUri, code_verifier: codeVerifier },
    client.basic,
  );
  assert.equal(status, 200, JSON.stringify(body));
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return { browser, cookie, tokens: body };
}
