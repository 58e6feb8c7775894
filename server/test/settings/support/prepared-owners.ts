import assert from "node:assert/strict";
import { ownerOf, withSession } from "../../account/support/account.ts";
import { addApp } from "../../factor/support.ts";
import { provenAttempt } from "../../identity-provider/attempts.ts";
import { ask } from "../../login/support/second-factors.ts";
import { enter, type Visitor } from "../../login/support/sign-in.ts";
import type { TestProvider } from "../../support/identity-provider/test-provider.ts";
import { addPerson, appoint, type Person } from "../../support/people/people.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { createAuthenticator } from "../../support/sign-in/authenticator.ts";
import { type ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";
import { appCode } from "../../support/sign-in/totp.ts";

/** A provider of an organization, with the server that a test has for it. */
export interface Known {
  readonly id: string;
  readonly provider: TestProvider;
}

export const seconds = ["none", "app", "key"] as const;
export const methods = ["provider", "passkey", "password"] as const;

/** A user with a link at a provider, a passkey and a password; `signIn` says whether a method lets them in. */
export interface Prepared extends Person {
  readonly signIn: (method: (typeof methods)[number]) => Promise<boolean>;
}

interface Wanted {
  readonly name: string;
  readonly role: string | undefined;
  readonly second: (typeof seconds)[number];
  /** Whether the session in which everything is made is one at the former provider, and not one by password. */
  readonly isAtFormer: boolean;
}

const newPassword = "an entirely different password 77";
const decode = (text: string): string => text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");

/** Returns a function that makes users of an organization with accounts at two providers. */
export function preparing(server: TestServer, organizationId: string, former: Known, present: Known) {
  const say = ({ provider }: Known, sub: string): void => {
    provider.user = { sub, preferred_username: sub, email: `${sub}@provider.example` };
  };
  const begin = async (goal = "") => {
    server.clock.now += 60_000;
    const browser = new TestBrowser(server);
    return { browser, page: await browser.open(`/ui/login?account=other&organization=${organizationId}${goal}`) };
  };
  const arriveAt = async (browser: TestBrowser, away: ShownPage, known: Known, sub: string): Promise<ShownPage> => {
    say(known, sub);
    const back = known.provider.signIn(away.address);
    return browser.open(back.pathname + back.search);
  };
  /** Signs in at a provider, up to the second factor. */
  const answerAt = async ({ browser, page }: Pick<Visitor, "browser" | "page">, known: Known, sub: string) => {
    const away = await browser.submit(page, { provider: known.id }, { action: "/ui/login/provider" });
    const asked = await arriveAt(browser, away, known, sub);
    return /Welcome back/.test(asked.title) ? browser.submit(asked) : asked;
  };
  const linkIn = async (browser: TestBrowser, session: string, known: Known, sub: string): Promise<void> => {
    server.clock.now += 1000;
    const path = withSession(`/ui/account/methods/link?provider=${known.id}`, session);
    const away = await browser.submit(await browser.open(path), {});
    const done = await browser.submit(await arriveAt(browser, away, known, sub));
    assert.match(done.html, /role="status"/, done.html);
  };

  return async ({ name, role, second, isAtFormer }: Wanted): Promise<Prepared> => {
    const made = await addPerson(server, { username: name, organizationId });
    if (role !== undefined) await appoint(server, made, { organizationId }, [role]);
    // What is made within a minute of an appointment counts as made before it.
    server.clock.now += 120_000;
    const { userId } = made;
    const [there, here] = [`${name}-former`, `${name}-present`];
    const home = await ownerOf(server, made);
    await linkIn(home.browser, home.sessionId, former, there);
    const person = isAtFormer ? await changePassword(made, there) : made;
    const again = isAtFormer ? await begin("&goal=account") : undefined;
    const at = again ? { ...again, page: await answerAt(again, former, there) } : home;
    const session = new URL(at.page.address, server.origin).searchParams.get("session") ?? "";
    assert.match(at.page.address, /^\/ui\/account\?session=/, at.page.html);
    await linkIn(at.browser, session, present, here);
    const register = async (kind: "passkey" | "security-key", isVerified: boolean) => {
      const device = createAuthenticator({ origin: server.origin });
      const form = await at.browser.open(withSession(`/ui/account/${kind}`, session));
      const create = await at.browser.submit(form, { passkeys: "1" });
      const options = JSON.parse(decode(/data-passkey-options="([^"]*)"/.exec(create.html)?.[1] ?? "{}"));
      const credential = JSON.stringify(device.create(options, { isVerified }));
      const done = await at.browser.submit(create, { credential, key_name: kind }, { action: "/create" });
      assert.match(done.html, /role="status"|<h1>Recovery codes/, done.html);
      server.clock.now += 1000;
      return device;
    };
    const key = second === "key" ? await register("security-key", false) : undefined;
    // A passkey would be asked for before the app.
    const passkey = second === "app" ? undefined : await register("passkey", true);
    const secret = second === "app" && (await addApp(server, made, (shown) => appCode(shown, server.clock.now)));

    /** Gives the second factor that a page asks for, if it asks for one. */
    const finish = async (browser: TestBrowser, page: ShownPage): Promise<boolean> => {
      const isAsked = page.address.includes("/second-factor") || page.title.startsWith("Enter the code");
      if (!isAsked) return page.address.startsWith("/ui/login/signed-in");
      if (secret !== false) {
        const end = await browser.submit(page, { code: appCode(secret, server.clock.now) });
        return end.address.startsWith("/ui/login/signed-in");
      }
      const { options } = await ask(browser, page);
      const credential = JSON.stringify((key ?? passkey)?.get(options, { isVerified: key === undefined }));
      const end = await browser.submit(page, { credential }, { action: "/ui/login/key" });
      return end.address.startsWith("/ui/login/signed-in");
    };
    const signIn: Prepared["signIn"] = async (method) => {
      const { browser, page } = await begin();
      if (method === "password") return finish(browser, await enter({ browser, page }, person));
      if (method === "provider") {
        const isOffered = page.html.includes(`value="${present.id}"`);
        return isOffered && finish(browser, await answerAt({ browser, page }, present, here));
      }
      if (passkey === undefined) return false;
      const credential = JSON.stringify(passkey.get((await ask(browser, page)).options, { isVerified: true }));
      return finish(browser, await browser.submit(page, { credential }, { action: "/ui/login/key" }));
    };
    return { ...person, userId, signIn };
  };

  /** Chooses another password in a session at the former provider. */
  async function changePassword(person: Person, sub: string): Promise<Person> {
    const { userId, password } = person;
    say(former, sub);
    const checks = { user: { userId }, idpIntent: await provenAttempt(server, former.provider, former.id) };
    const session = await server.rest("POST", "/v2/sessions", { body: { checks } });
    assert.equal(session.status, 201, JSON.stringify(session.body));
    const changed = await server.rest("POST", `/v2/users/${userId}/password`, {
      token: session.body.sessionToken,
      body: { newPassword: { password: newPassword }, currentPassword: password },
    });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    server.clock.now += 60_000;
    return { ...person, password: newPassword };
  }
}
