import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../../support/http/free-port.ts";
import type { Person } from "../../support/people/people.ts";
import { recordedEvents } from "../../support/servers/recorded-events.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { type ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";
import { formIn } from "./messages.ts";

/** One browser that goes back and forth between our server and that of a partner. */
export interface Walk {
  readonly ours: TestBrowser;
  readonly theirs: TestBrowser;
  /** The addresses that it visited since the last step began. */
  readonly visited: string[];
  /** Whether it leaves forms with messages to the test; otherwise it sends them, as scripts of their pages do. */
  stopsAtForms: boolean;
  /** Opens an address of either server, and goes on until a page asks the user something. */
  open(address: string): Promise<ShownPage>;
  /** Posts a form of the other server. */
  post(to: TestBrowser, action: string, fields: Readonly<Record<string, string>>): Promise<ShownPage>;
  /** Enters something in the form of a page of theirs, and goes on. */
  enterThere(page: ShownPage, fields: Readonly<Record<string, string>>): Promise<ShownPage>;
  /** Goes on from a page that one of the two browsers got. */
  follow(page: ShownPage, from: TestBrowser): Promise<ShownPage>;
}

/** A port and an origin for a partner; its cookies are not ours, which are those of `localhost`. */
export async function newOrigin(): Promise<{ readonly port: number; readonly origin: string }> {
  const port = await freePort();
  return { port, origin: `http://127.0.0.1:${port}` };
}

/** Makes a browser without cookies for the two servers. */
export function createWalk(server: Pick<TestServer, "origin">, partner: string): Walk {
  const ours = new TestBrowser(server);
  const theirs = new TestBrowser({ origin: partner });
  const visited: string[] = [];
  const at = (address: string): TestBrowser => (address.startsWith(`${partner}/`) ? theirs : ours);
  const go = async (page: ShownPage, from: TestBrowser): Promise<ShownPage> => {
    visited.push(page.address);
    assert.ok(visited.length < 20, visited.join("\n"));
    if (/^https?:/.test(page.address)) {
      const to = at(page.address);
      return go(await to.open(pathOf(page.address)), to);
    }
    if (walk.stopsAtForms || !hasMessage.test(page.html)) return page;
    const { action, fields } = formIn(page.html);
    const to = at(action);
    // A page of ours that sends a form again, with our cookies.
    if (to === from) return go(await from.submit(page), from);
    return go(await walk.post(to, action, fields), to);
  };
  const walk: Walk = {
    ours,
    theirs,
    visited,
    stopsAtForms: false,
    // A service provider cannot do without its cookies there: they are `SameSite=None`.
    post: (to, action, fields) =>
      to.postFrom(to === ours ? partner : server.origin, pathOf(action), fields, { hasCookies: to === theirs }),
    enterThere: async (page, fields) => {
      const { action, fields: given } = formIn(page.html);
      const { href } = new URL(action, partner + page.address);
      const sent = { ...given, ...fields };
      return walk.follow(await theirs.postFrom(partner, pathOf(href), sent, { hasCookies: true }), theirs);
    },
    open: async (address) => {
      visited.length = 0;
      return go(await at(address).open(pathOf(address)), at(address));
    },
    follow: (page, from) => {
      visited.length = 0;
      return go(page, from);
    },
  };
  return walk;
}

const hasMessage = /name="SAML(?:Request|Response)"/;
const pathOf = (address: string): string => address.replace(/^https?:\/\/[^/]*/, "");

/** Signs in on our pages, and goes on. */
export async function signInOn(
  { ours, follow }: Walk,
  page: ShownPage,
  { loginName, password }: Person,
): Promise<ShownPage> {
  assert.ok(page.address.startsWith("/ui/login?"), `${page.address}: ${page.html}`);
  const asked = await ours.submit(page, { login_name: loginName }, { action: "/ui/login" });
  return follow(await ours.submit(asked, { password }, { action: "/ui/login/password" }), ours);
}

/** Waits until our server told a partner, at its server, that a session ended. */
export async function untilTold(server: TestServer): Promise<void> {
  const notices = async () =>
    (await recordedEvents(server)).filter(({ aggregateType }) => aggregateType === "logout_notice");
  const before = (await notices()).length;
  for (let round = 0; round < 100; round++) {
    server.clock.now += 1000;
    await server.app.jobs.tick();
    const [notice] = (await notices()).slice(before);
    if (notice !== undefined) return assert.equal(notice.type, "logout_notice.delivered", JSON.stringify(notice));
    await wait(20);
  }
  assert.fail("the partner was not told");
}
