import assert from "node:assert/strict";
import { enter } from "../../login/support/sign-in.ts";
import type { Person } from "../../support/people/people.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { type Fields, type ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";

/** A user at their account page, in a browser of their own. */
export interface Owner {
  readonly browser: TestBrowser;
  /** The home page. */
  readonly page: ShownPage;
  readonly sessionId: string;
  /** Opens a page of this account. */
  open(path: string): Promise<ShownPage>;
  /** Opens a page and sends its form: the one with `action` in its action, or the first. */
  send(path: string, fields?: Fields, action?: string): Promise<ShownPage>;
}

/** Signs a user in to their account page. */
export async function ownerOf(
  server: TestServer,
  person: Pick<Person, "loginName" | "password">,
  browser: TestBrowser = new TestBrowser(server),
): Promise<Owner> {
  const page = await enter({ browser, page: await browser.open("/ui/login?goal=account&account=other") }, person);
  const sessionId = new URL(page.address, server.origin).searchParams.get("session") ?? "";
  assert.match(page.address, /^\/ui\/account\?session=\d+$/, page.html);
  // A second factor that is added at the exact instant of the authentication would be asked for at once.
  server.clock.now += 1000;
  const open = (path: string): Promise<ShownPage> => browser.open(withSession(path, sessionId));
  return {
    browser,
    page,
    sessionId,
    open,
    send: async (path, fields = {}, action = "") => browser.submit(await open(path), fields, { action }),
  };
}

export const withSession = (path: string, sessionId: string): string =>
  `${path}${path.includes("?") ? "&" : "?"}session=${sessionId}`;

/** Returns the page's notice about the last action. */
export const newsOf = ({ html }: ShownPage): string | undefined => /role="status"[^>]*>([^<]*)</.exec(html)?.[1];
