import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { knowProvider } from "../../identity-provider/attempts.ts";
import { addStaff, createTrust } from "../../identity-provider/trusted.ts";
import { startTestProvider } from "../../support/identity-provider/test-provider.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import type { Start } from "../../support/servers/each-server.ts";
import type { ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";

/** What a page says that asks about Evil. */
export const questionAboutEvil = /The organization <strong><bdi>evil<\/bdi><\/strong> manages your account/;

/** Whether the page asks before Evil becomes the organization of the visitor. */
export const asksAboutEvil = ({ address, html }: ShownPage): boolean =>
  address.startsWith("/ui/login/external") && questionAboutEvil.test(html);

/**
 * Starts a server with a provider of the instance where the account 42 is that of a user of the organization Evil, by
 * the word of its administrators alone.
 */
export async function prepareAccount(start: Start, t: TestContext, settings: object) {
  const server = await start(t);
  const provider = await startTestProvider(t, () => server.clock.now);
  const trust = createTrust(server);
  const evil = await addStaff(server, "evil");
  const idp = await knowProvider(server, provider, { options: { isAutoCreation: true } });
  await changeSettings(server, "login", { identityProviderIds: [idp], ...settings });
  assert.equal(await trust.link(evil.plain.userId, idp, "42", evil.owner.token), "200");
  /** Goes on by a provider, with a click where the browser is not there yet. */
  const pass = async (browser: TestBrowser, page: ShownPage, sub: string, at = idp): Promise<ShownPage> => {
    provider.user = { sub, given_name: "Vera", family_name: "New", email: `${sub}@mail.example`, email_verified: true };
    const isAway = page.address.startsWith(provider.issuer);
    const away = isAway ? page : await browser.submit(page, { provider: at }, { action: "/ui/login/provider" });
    const back = provider.signIn(away.address);
    return browser.open(back.pathname + back.search);
  };
  /** Returns the organization of the user with the address of an account. */
  const homeOf = async (sub: string): Promise<string | undefined> => {
    const queries = [{ emailQuery: { emailAddress: `${sub}@mail.example` } }];
    return (await server.rest("POST", "/v2/users", { body: { queries } })).body.result?.[0]?.details.resourceOwner;
  };
  /** Returns the account page of the user who is signed in; nothing for none. */
  const accountOf = async (browser: TestBrowser): Promise<string> => {
    const { address, html } = await browser.open("/ui/account");
    return address.startsWith("/ui/account") ? html : "";
  };
  const scope = `openid urn:service:iam:org:id:${evil.organizationId}`;
  return { server, provider, trust, idp, evil, scope, pass, homeOf, accountOf };
}
