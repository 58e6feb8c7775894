import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { callWith, consoleToken, openConsole, signedInBrowser, startConsole } from "../console/support.ts";
import type { Ending, Engine } from "../support/databases/databases.ts";
import type { OidcServer, TestClient } from "../support/oidc/oidc.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import type { ServerOptions } from "../support/servers/server.ts";
import type { ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";

const service = "/service.impersonation.v2.ImpersonationService";

/** An administrator with a browser in which they are signed in to the console. */
export interface Admin {
  readonly browser: TestBrowser;
  call(path: string, body: object): ReturnType<typeof callWith>;
  /** Asks to impersonate; `told` is the reason of a refusal, or `ok`. */
  ask(given: object): Promise<{ readonly told: string; readonly id: string; readonly path: string }>;
  /** Begins to impersonate a user at the application of the server. */
  begin(userId: string, given?: object): Promise<{ readonly id: string; readonly path: string }>;
  end(id: string): ReturnType<typeof callWith>;
}

export interface ImpersonatingServer {
  readonly server: OidcServer;
  /** Signs a user in with a browser of their own. */
  adminOf(person?: { readonly userId: string; readonly password: string }): Promise<Admin>;
  /** Gives a browser that is signed in to the hosted login a token of the console. */
  adminIn(browser: TestBrowser): Promise<Admin>;
}

/** What a refusal says: the slug of its cause. */
export const toldBy = ({ status, body }: { readonly status: number; readonly body: Refusal }): string =>
  status < 300 ? "ok" : (body.details?.find(({ debug }) => debug?.id !== undefined)?.debug?.id ?? `${status}`);

interface Refusal {
  readonly details?: readonly { readonly debug?: { readonly id?: string } }[];
}

/** Starts a server with a console, on which administrators may impersonate users. */
export async function startImpersonating(
  t: Ending,
  engine: Engine,
  options: Partial<ServerOptions> = {},
): Promise<ImpersonatingServer> {
  const server = await startConsole(t, { ...options, engine });
  await changeSettings(server, "security", { enableImpersonation: true });
  const consoleId = await openConsole(server);
  const adminIn = async (browser: TestBrowser): Promise<Admin> => {
    const token = await consoleToken(server, browser, consoleId);
    const ask: Admin["ask"] = async (given) => {
      const reason = "Ticket 17: the basket is empty";
      const body = { applicationId: server.client.applicationId, reason, ...given };
      const answer = await callWith(server, token, `${service}/CreateImpersonation`, body);
      return { told: toldBy(answer), id: answer.body.id, path: answer.body.path };
    };
    return {
      browser,
      ask,
      call: (path, body) => callWith(server, token, path, body),
      async begin(userId, given = {}) {
        const { told, ...begun } = await ask({ userId, ...given });
        assert.equal(told, "ok");
        return begun;
      },
      end: (id) => callWith(server, token, `${service}/EndImpersonation`, { id }),
    };
  };
  return { server, adminIn, adminOf: async (person) => adminIn(await signedInBrowser(server, person)) };
}

/** A request of an application in a browser. */
export interface Asked {
  readonly page: ShownPage;
  readonly codeVerifier: string;
}

/** Opens the authorization endpoint as the application does. */
export async function openRequest(
  client: TestClient,
  browser: TestBrowser,
  parameters: Readonly<Record<string, string>> = {},
): Promise<Asked> {
  const codeVerifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: "code",
    scope: "openid profile offline_access",
    code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    code_challenge_method: "S256",
    ...parameters,
  });
  return { page: await browser.open(`/oauth/v2/authorize?${query}`), codeVerifier };
}

/** Whether a page asks the administrator as whom they go on. */
export const isQuestion = ({ address }: ShownPage): boolean => address.startsWith("/ui/login/impersonation?");

/** Goes on as the user, and returns what the application is told. */
export async function goOn(browser: TestBrowser, { page }: Asked): Promise<URLSearchParams> {
  assert.ok(isQuestion(page), `${page.address}: ${page.html}`);
  return new URL((await browser.submit(page, { decision: "allow" })).address).searchParams;
}

/** Redeems the code of an answer. */
export const redeemCode = (server: OidcServer, client: TestClient, code: string, codeVerifier: string) =>
  server.form(
    "/oauth/v2/token",
    { grant_type: "authorization_code", code, redirect_uri: client.redirectUri, code_verifier: codeVerifier },
    client.basic,
  );

/** The tokens of an administrator who signs in to the application as the user of an open impersonation. */
export async function tokensAsUser(
  { server }: Pick<ImpersonatingServer, "server">,
  { browser }: Pick<Admin, "browser">,
  { client = server.client, ...parameters }: { readonly client?: TestClient; readonly scope?: string } = {},
): Promise<Readonly<Record<string, string>>> {
  const asked = await openRequest(client, browser, parameters);
  const code = (await goOn(browser, asked)).get("code") ?? "";
  const { status, body } = await redeemCode(server, client, code, asked.codeVerifier);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** The claims of a JWT, unchecked. */
export const claimsOf = (token: string | undefined): Readonly<Record<string, unknown>> =>
  JSON.parse(Buffer.from(token?.split(".")[1] ?? "", "base64url").toString());
