import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ending } from "../support/databases/databases.ts";
import { makeProof, makeProofKey, type ProofKey } from "../support/oidc/dpop.ts";
import { type FormAnswer, type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";
import type { ServerOptions } from "../support/servers/server.ts";
import { adoptSession } from "../support/sign-in/adopt-session.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";

/** The files of a build, by their path in `dist`. */
export const builtFiles = {
  "assets/main-Bq1x.js": `export const main = "${"main ".repeat(400)}";\n`,
  "assets/vendor-C9a_.js": "export const vendor = 1;\n",
  "assets/users-D0.js": "export const users = 1;\n",
  "assets/main-Ax.css": "body{margin:0}\n",
  "assets/en-E1.json": '{"title":"Users"}\n',
  "assets/mark-F2.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  "assets/sans-G3.woff2": "wOF2 font",
  "assets/notes.txt": "no file of the console",
  ".vite/manifest.json": JSON.stringify({
    "src/main.tsx": {
      file: "assets/main-Bq1x.js",
      isEntry: true,
      imports: ["_vendor-C9a_.js"],
      dynamicImports: ["src/users.tsx"],
      css: ["assets/main-Ax.css"],
    },
    "_vendor-C9a_.js": { file: "assets/vendor-C9a_.js" },
    "src/users.tsx": { file: "assets/users-D0.js", isDynamicEntry: true, imports: ["src/main.tsx"] },
  }),
} as const;

/** Writes a build of the console into a directory, as Vite does. */
export function writeBuild(directory: string): void {
  for (const [name, content] of Object.entries(builtFiles)) {
    const file = join(directory, name);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, content);
  }
}

/** Returns a directory that is removed after the test. */
export function makeDirectory(t: Ending): string {
  const directory = mkdtempSync(join(tmpdir(), "doorward-console-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Starts a server whose console was built. */
export async function startConsole(t: Ending, options: ServerOptions = {}): Promise<OidcServer> {
  const consoleDirectory = makeDirectory(t);
  writeBuild(consoleDirectory);
  return startOidcServer(t, { consoleDirectory, ...options });
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
export type Asked = Readonly<Record<string, string | undefined>>;

export const scope = "openid profile urn:service:iam:org:project:id:service:aud";

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
