import assert from "node:assert/strict";
import { type Owner, ownerOf } from "../../account/support/account.ts";
import { savePicture } from "../../account/support/picture.ts";
import { inboxOf } from "../../factor/support.ts";
import { isBack, signedIn, visit } from "../../login/support/sign-in.ts";
import { realPng } from "../../support/data/pictures.ts";
import { addOwnedOrganization } from "../../support/people/owners.ts";
import { appoint } from "../../support/people/people.ts";
import { createAuthenticator } from "../../support/sign-in/authenticator.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import type { ShownPage } from "../../support/sign-in/test-browser.ts";
import { appCode } from "../../support/sign-in/totp.ts";
import type { Tour } from "./tour.ts";

const decode = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&amp;", "&").replaceAll("&#39;", "'");

/** Returns what a server in development would have sent. */
export async function walkInbox(tour: Tour): Promise<void> {
  const inbox = await tour.browserHere().open("/ui/dev/inbox");
  const links = [...inbox.html.matchAll(/href="(\/ui\/dev\/inbox\/mail[^"]*)"/g)];
  assert.ok(links.length > 5, inbox.html);
  for (const [, address = ""] of links) await tour.browserHere().open(decode(address));
}

/** Uses everything on the pages of an account, then deletes it. */
export async function walkAccount(tour: Tour): Promise<void> {
  const { server, say } = tour;
  const person = await tour.somebody("owner");
  await appoint(server, person, { organizationId: person.organizationId }, ["SELF_MANAGEMENT_GLOBAL"]);
  await useAnApplication(tour, person);
  const owner = await ownerOf(server, person, tour.browser());
  for (const path of ["/profile", "/methods", "/sessions", "/applications", "/activity", "/activity/not-me", "/data"]) {
    assert.equal((await owner.open(`/ui/account${path}`)).status, 200, path);
  }
  const profile = { given_name: say("Given"), family_name: say("Family"), display_name: say("Display") };
  await owner.send("/ui/account/profile", { ...profile, given_name: "" });
  await owner.send("/ui/account/profile", { ...profile, nickname: say("Nick") });
  await walkPicture(tour, owner);
  await owner.send("/ui/account/username", { username: say("u n") });
  await owner.send("/ui/account/username", { username: "owner-of-it" });
  const loginName = `owner-of-it@${person.loginName.split("@")[1]}`;
  await walkContacts(tour, owner);
  await walkMethods(tour, owner);
  await owner.browser.submit(await owner.open("/ui/account/applications"));
  await walkAppointments(tour, owner, person.userId);
  const wanted = tour.plant("password", "canary password that the owner chose");
  const password = { new_password: wanted, new_password_repeated: wanted };
  await owner.send("/ui/account/password", { ...password, current_password: "wrong" });
  await owner.send("/ui/account/password", { ...password, current_password: person.password });
  await owner.browser.submit(await owner.open("/ui/account/activity/not-me"));
  await signedIn(server, { loginName, password: wanted }, tour.browser());
  await owner.browser.submit(await owner.open("/ui/account/sessions"), {}, { action: "end-others" });
  await owner.browser.submit(await owner.open("/ui/account/data"), {}, { action: "export" });
  const asked = await owner.open("/ui/account/delete");
  await owner.browser.submit(asked, { login_name_again: say("somebody") });
  const gone = await owner.browser.submit(asked, { login_name_again: loginName });
  assert.equal(gone.address, "/ui/account/deleted", gone.html);
  const leaver = await ownerOf(server, await tour.somebody("leaver"), tour.browser());
  await leaver.browser.submit(await leaver.open("/ui/account/sessions"), {}, { action: "sessions?" });
}

/** Uploads a file that is not a picture, then a picture; looks at it and removes it. */
async function walkPicture({ server, say }: Tour, owner: Owner): Promise<void> {
  await savePicture(server, owner, Buffer.from(say("no picture")));
  const { location } = await savePicture(server, owner, realPng(9, 9));
  const page = await owner.browser.open(location ?? "");
  assert.match(page.html, /src="\/avatars\//);
  await owner.browser.submit(page, {}, { action: "/picture/remove" });
}

/** Declines one position that another organization offers, and accepts one. */
async function walkAppointments({ server }: Tour, owner: Owner, userId: string): Promise<void> {
  const path = "/ui/account/appointments";
  for (const name of ["Declined", "Accepted"]) {
    const { organizationId, token } = await addOwnedOrganization(server, name);
    const offer = { userId, resource: { organizationId }, roles: ["ORG_OWNER_VIEWER"] };
    const by = { token };
    const service = "service.internal_permission.v2.InternalPermissionService";
    const made = await server.connect(`${service}/CreateAdministrator`, offer, by);
    assert.equal(made.body.state, "ADMINISTRATOR_STATE_PENDING");
    const list = await owner.open(path);
    const acceptHref = decode(/href="([^"]*appointments\/accept[^"]*)"/.exec(list.html)?.[1] ?? "");
    const shown = name === "Declined" ? list : await owner.browser.open(acceptHref);
    const answered = await owner.browser.submit(
      shown,
      {},
      { action: name === "Declined" ? "appointments?" : "/accept" },
    );
    assert.match(answered.address, /done=appointment_(?:declined|accepted)/, answered.html);
  }
}

/** Gives a user tokens at an application, and another session. */
async function useAnApplication(tour: Tour, person: Parameters<typeof ownerOf>[1]): Promise<void> {
  const { server } = tour;
  const browser = await signedIn(server, person, tour.browser());
  const client = await addClient(server, {}, tour.say("Shop"));
  const { page, codeVerifier } = await visit(server, client, { scope: "openid offline_access" }, browser);
  const back = isBack(page) ? page : await browser.submit(page);
  const { body } = await client.exchange(back.address, codeVerifier);
  for (const kind of ["access_token", "refresh_token", "id_token"]) tour.plant(kind, body[kind]);
}

async function walkContacts(tour: Tour, owner: Owner): Promise<void> {
  await owner.send("/ui/account/email", { email: tour.say("next@") });
  const email = await owner.send("/ui/account/email", { email: "next@mail.example" });
  await owner.browser.submit(email, {}, { action: "/email/resend" });
  const [message] = await inboxOf(tour.server, "next@mail.example");
  await owner.send("/ui/account/email/code", { code: "WRONG1" }, "/email/code");
  await owner.send("/ui/account/email/code", { code: tour.plant("code of a mail", message.code) }, "/email/code");
  await owner.send("/ui/account/phone", { phone: tour.say("+4179") });
  const phone = await owner.send("/ui/account/phone", { phone: "+41791234567" });
  await owner.browser.submit(phone, {}, { action: "/phone/resend" });
  const [sms] = await inboxOf(tour.server, "+41791234567");
  tour.plant("code of a text message", sms.code);
  await owner.send("/ui/account/phone/code", { code: sms.code }, "/phone/code");
  const asked = await owner.send("/ui/account/methods/add?kind=otp_sms");
  await owner.browser.submit(asked, { code: "WRONG1" });
  await owner.browser.submit(asked, {}, { action: "/code/send" });
  const [first] = await inboxOf(tour.server, "+41791234567");
  await owner.browser.submit(asked, { code: tour.plant("first code of a factor", first.code) });
  await owner.send("/ui/account/phone", {}, "/phone/remove");
}

async function walkMethods(tour: Tour, owner: Owner): Promise<void> {
  const { server, say } = tour;
  for (const path of ["passkey", "security-key"]) {
    const create = await owner.send(`/ui/account/${path}`, { passkeys: "1" });
    await owner.browser.submit(create, { credential: "{}", key_name: say("Key") }, { action: "/create" });
    const again = await owner.send(`/ui/account/${path}`, { passkeys: "1" });
    const asked = JSON.parse(decode(/data-passkey-options="([^"]*)"/.exec(again.html)?.[1] ?? "{}"));
    const credential = createAuthenticator({ origin: server.origin }).create(asked);
    await owner.browser.submit(
      again,
      { credential: JSON.stringify(credential), key_name: say("Key") },
      { action: "/create" },
    );
  }
  await walkLink(tour, owner);
  const app = await owner.send("/ui/account/totp");
  const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(app.html)?.[1] ?? "").replaceAll(" ", "");
  tour.plant("secret of an app", secret);
  await owner.browser.submit(app, { code: "000000" }, { action: "/confirm" });
  await owner.browser.submit(app, { code: appCode(secret, server.clock.now) }, { action: "/confirm" });
  const codes = await owner.send("/ui/account/recovery-codes");
  for (const [, code = ""] of codes.html.matchAll(/<code>([A-Z2-9-]{19})<\/code>/g)) tour.plant("recovery code", code);
  await owner.browser.submit(codes, { kept: "1" }, { action: "/kept" });
  // Asked again each time: recovery codes go with the last factor, so that their link may have gone as well.
  for (;;) {
    const methods = await owner.open("/ui/account/methods");
    const address = /href="([^"]*methods\/remove[^"]*)"/.exec(methods.html)?.[1];
    if (address === undefined) return;
    const asked: ShownPage = await owner.browser.open(decode(address));
    await owner.browser.submit(asked, {}, { action: "/methods/remove" });
  }
}

/** Links an account at a provider. */
async function walkLink({ provider, idpId, say }: Tour, owner: Owner): Promise<void> {
  provider.user = { sub: say("own"), email: say("own@provider.example"), name: say("Name"), given_name: say("Given") };
  const away = await owner.send(`/ui/account/methods/link?provider=${idpId}`);
  const back = provider.signIn(away.address);
  const asked = await owner.browser.open(back.pathname + back.search);
  assert.match(asked.address, /^\/ui\/account\/methods\/link\/answer/, asked.html);
  await owner.browser.submit(asked, {}, { action: "/link/answer" });
  const body = new URLSearchParams({ state: say("state"), error: say("error") });
  for (const path of ["/idps/callback", "/idps/callback/1"]) {
    await owner.browser.send(path, { method: "POST", body });
  }
}
