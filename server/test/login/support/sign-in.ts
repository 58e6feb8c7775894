import assert from "node:assert/strict";
import type { Person } from "../../support/people/people.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { redirectUri, type SignInClient } from "../../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";

/** A browser that was sent to the login by an application, at the first page. */
export interface Visitor {
  readonly browser: TestBrowser;
  readonly page: ShownPage;
  readonly authRequestId: string;
  readonly codeVerifier: string;
}

/** Sends a browser to the login, as an application does. */
export async function visit(
  server: TestServer,
  client: Pick<SignInClient, "start">,
  parameters: Readonly<Record<string, string>> = {},
  browser: TestBrowser = new TestBrowser(server),
): Promise<Visitor> {
  const { path, codeVerifier } = client.start(parameters);
  const page = await browser.open(path);
  const authRequestId = requestIn(page.address);
  return { browser, page, authRequestId, codeVerifier };
}

export const requestIn = (address: string): string =>
  new URL(address, "http://localhost").searchParams.get("authRequest") ?? "";

/** Enters name and password; returns where that leads. */
export async function enter(
  { browser, page }: Pick<Visitor, "browser" | "page">,
  { loginName, password }: Pick<Person, "loginName" | "password">,
): Promise<ShownPage> {
  const asked = await browser.submit(page, { login_name: loginName }, { action: "/ui/login" });
  return browser.submit(asked, { password }, { action: "/ui/login/password" });
}

/** Signs a browser in without an application. */
export async function signedIn(
  server: TestServer,
  person: Pick<Person, "loginName" | "password">,
  browser: TestBrowser = new TestBrowser(server),
): Promise<TestBrowser> {
  const page = await enter({ browser, page: await browser.open("/ui/login?account=other") }, person);
  assert.equal(page.address, "/ui/login/signed-in", page.html);
  return browser;
}

/** Whether the page is the application's, with a code. */
export const isBack = ({ address }: ShownPage): boolean =>
  address.startsWith(`${redirectUri}?`) && new URL(address).searchParams.has("code");
