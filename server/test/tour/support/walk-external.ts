import assert from "node:assert/strict";
import { enter, isBack, visit } from "../../login/support/sign-in.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import type { ShownPage } from "../../support/sign-in/test-browser.ts";
import type { RecordingBrowser } from "./recorder.ts";
import type { Tour } from "./tour.ts";

/** Comes from an identity provider: new, known, refused there. */
export async function walkExternal(tour: Tour): Promise<void> {
  const { say } = tour;
  tour.plant("secret at a provider", tour.provider.clientSecret);
  const { page, browser } = await through(tour, { sub: say("new"), email: "new@provider.example" });
  assert.match(page.address, /^\/ui\/login\/external\?/, page.html);
  const back = await browser.submit(page, {}, { action: "/ui/login/external?" });
  assert.ok(isBack(back), back.html);

  const other = await through(tour, { sub: "other", email: undefined, family_name: undefined });
  await other.browser.submit(other.page, { email: say("other@") }, { action: "/ui/login/external?" });
  const name = await other.browser.submit(other.page, {}, { action: "/ui/login/external/existing" });
  const kim = await tour.somebody("kim");
  const asked = await enter({ browser: other.browser, page: name }, kim);
  assert.match(asked.address, /^\/ui\/login\/external\/link/, asked.html);
  const linked = await other.browser.submit(asked, { decision: "link" }, { action: "/ui/login/external/link" });
  assert.match(linked.title, /Accounts linked/, linked.html);

  const refused = await through(tour, {}, "access_denied");
  await refused.browser.submit(refused.page, {}, { action: "/ui/login/return" });

  await enterDirectory(tour);
}

/** Enters name and password of a directory: wrong, then right. */
async function enterDirectory(tour: Tour): Promise<void> {
  const { server, directory, say } = tour;
  tour.plant("password of a service account", directory.servicePassword);
  const password = tour.plant("password in a directory", "canary of a directory");
  const wrong = tour.plant("wrong password in a directory", "canary that is wrong");
  const dn = "uid=d-1,dc=example,dc=org";
  const attributes = { objectClass: ["person"], uid: ["d-1"], givenName: [say("Given")], sn: [say("Family")] };
  directory.entries = [{ dn, password, attributes }];
  const browser = tour.browser();
  const { page } = await visit(server, await addClient(server, {}, say("Shop")), {}, browser);
  const form = await browser.submit(page, { provider: tour.directoryIdpId }, { action: "/ui/login/provider" });
  const action = "/idps/ldap";
  await browser.submit(form, { username: "", password: "" }, { action });
  const refused = await browser.submit(form, { username: say("d-1"), password: wrong }, { action });
  assert.match(refused.alert ?? "", /username or password is wrong/, refused.html);
  const end = await browser.submit(refused, { username: "d-1", password }, { action });
  assert.match(end.address, /^\/ui\/login\/external\?/, end.html);
}

/** Goes to the provider and comes back. */
async function through(
  tour: Tour,
  user: Readonly<Record<string, unknown>>,
  error?: string,
): Promise<{ readonly browser: RecordingBrowser; readonly page: ShownPage }> {
  const { server, provider, say } = tour;
  const browser = tour.browser();
  provider.user = {
    sub: "p-1",
    email_verified: true,
    given_name: say("Given"),
    family_name: say("Family"),
    name: say("Name"),
    nickname: say("Nick"),
    preferred_username: say("user"),
    ...user,
  };
  const { page } = await visit(server, await addClient(server, {}, say("Shop")), {}, browser);
  const away = await browser.submit(page, { provider: tour.idpId }, { action: "/ui/login/provider" });
  assert.ok(away.address.startsWith(`${provider.issuer}/authorize`), away.html);
  const back = provider.signIn(away.address);
  if (error !== undefined) {
    back.searchParams.delete("code");
    back.searchParams.set("error", error);
    back.searchParams.set("error_description", say("why"));
  }
  return { browser, page: await browser.open(back.pathname + back.search) };
}
