import assert from "node:assert/strict";
import { json } from "node:stream/consumers";
import { callUser } from "../../server/test/factor/support.ts";
import { signedIn } from "../../server/test/login/support/sign-in.ts";
import { startDeviceServer } from "../../server/test/oauth/device/support.ts";
import { realPng } from "../../server/test/support/data/pictures.ts";
import { appoint, type Person, sessionOf } from "../../server/test/support/people/people.ts";
import { changeSettings } from "../../server/test/support/servers/change-settings.ts";
import { addClient } from "../../server/test/support/sign-in/sign-in-client.ts";
import { appCode } from "../../server/test/support/sign-in/totp.ts";
import { browserTest } from "../support/browser.ts";
import { startPartner } from "../support/partner.ts";
import {
  choosesPassword,
  codeTo,
  emailOf,
  enter,
  type Fixtures,
  type Flows,
  name,
  shownKey,
  somebody,
  visit,
  walkFlows,
} from "../support/walk-flows.ts";

browserTest("the account, without JavaScript and by keyboard alone", async (t, browser) => {
  const server = await startDeviceServer(t, { now: Date.now() });
  const client = await addClient(server);
  await changeSettings(server, "login", { secondFactors: ["totp", "otp_sms", "otp_email", "recovery_codes"] });
  await walkFlows(t, browser, flows, { server, client });
});

const flows: Flows = {
  "the names, and the username": async (fixtures) => {
    const { hand, suffix } = fixtures;
    const person = await signsIn(fixtures, "owner");
    await hand.follows("Profile");
    await hand.sees("Your profile");
    await hand.fills({ "First name": "Renamed" });
    await hand.presses("Save");
    await isTold(fixtures, "Your profile is saved.");
    await hand.follows("Change your username");
    await hand.sees("Change your username");
    await hand.fills({ Username: `renamed-${suffix}` });
    await hand.presses("Save");
    await isTold(fixtures, "Your username is changed.");
    await hand.page.context().clearCookies();
    await enter(fixtures, { ...person, loginName: `renamed-${suffix}` });
    await hand.sees("Shop");
  },

  "the picture: one that is none, one that is, and none again": async (fixtures) => {
    const { hand, server, hasScript } = fixtures;
    const { userId } = await signsIn(fixtures, "seen");
    const avatarUrl = async (): Promise<string> =>
      (await callUser(server, "GetUserByID", { userId })).user.human.profile.avatarUrl ?? "";
    const chooses = (buffer: Buffer) =>
      hand.page.getByLabel("Picture", { exact: true }).setInputFiles({ name: "me.png", buffer, mimeType: "image/png" });
    await hand.follows("Profile");
    await hand.sees("Your profile");
    await chooses(Buffer.from("no picture"));
    await hand.presses("Save the picture");
    await hand.page.getByRole("alert").waitFor();
    await chooses(realPng(1600, 900));
    if (hasScript) await hand.page.locator(".picture canvas").waitFor();
    await hand.presses("Save the picture");
    await isTold(fixtures, "Your picture is saved.");
    // The page may say so before its pictures have come; a picture that is broken rejects.
    const sizes = await hand.page.$$eval("img.avatar", (shown) =>
      Promise.all(
        (shown as HTMLImageElement[]).map(async (image) => {
          await image.decode();
          return [image.naturalWidth, image.naturalHeight, image.offsetWidth, image.offsetHeight];
        }),
      ),
    );
    // With script it is the middle of the chosen picture, and small.
    const natural = hasScript ? [512, 512] : [1600, 900];
    assert.deepEqual(sizes, [
      [...natural, 36, 36],
      [...natural, 80, 80],
    ]);
    assert.match(await avatarUrl(), hasScript ? /\.webp$/ : /\.png$/);
    await hand.presses("Remove the picture");
    await isTold(fixtures, "Your picture is removed.");
    assert.equal(await avatarUrl(), "");
    assert.equal(await hand.page.locator("img.avatar").count(), 0);
  },

  "the email address, with a wrong code before the right one": async (fixtures) => {
    const { hand, server } = fixtures;
    const { userId } = await signsIn(fixtures, "mover");
    const email = emailOf(fixtures, "moved");
    await hand.follows("Profile");
    await hand.sees("Your profile");
    await hand.follows("Change the email address");
    await hand.sees("Change your email address");
    await hand.fills({ "Email address": email });
    await hand.presses("Save and send code");
    await hand.sees("Confirm your email address");
    await hand.fills({ Code: "AAAAAA" });
    await hand.presses("Confirm");
    await hand.page.getByRole("alert").waitFor();
    await hand.fills({ Code: await codeTo(server, email) });
    await hand.presses("Confirm");
    await isTold(fixtures, "Your email address is confirmed.");
    const { user } = await callUser(server, "GetUserByID", { userId });
    assert.deepEqual(user.human.email, {
      email,
      isVerified: true,
      proof: { method: "CONTACT_PROOF_METHOD_CODE" },
    });
  },

  "a phone number: added, confirmed, removed": async (fixtures) => {
    const { hand, server, suffix } = fixtures;
    const { userId } = await signsIn(fixtures, "caller");
    const phone = suffix === "k" ? "+41791113355" : "+41791113366";
    await hand.follows("Profile");
    await hand.sees("Your profile");
    await hand.follows("Add or change the phone number");
    await hand.sees("Change your phone number");
    await hand.fills({ "Phone number": phone });
    await hand.presses("Save and send code");
    await hand.sees("Confirm your phone number");
    await hand.fills({ Code: await codeTo(server, phone) });
    await hand.presses("Confirm");
    await isTold(fixtures, "Your phone number is confirmed.");
    await hand.follows("Add or change the phone number");
    await hand.sees("Change your phone number");
    await hand.presses("Remove the phone number");
    await isTold(fixtures, "Your phone number is removed.");
    const { user } = await callUser(server, "GetUserByID", { userId });
    assert.equal(user.human.phone?.phone ?? "", "");
  },

  "the password, and recovery codes": async (fixtures) => {
    const { hand } = fixtures;
    const person = await signsIn(fixtures, "careful");
    await hand.follows("Sign-in methods");
    await hand.sees("How you sign in");
    await hand.follows("Change your password");
    await hand.sees("Change your password");
    await hand.fills({ "Current password": person.password });
    await choosesPassword(fixtures, "New password", "a sentence chosen at the account");
    await hand.presses("Save password");
    await isTold(fixtures, "Your password is set");
    await hand.follows("Create recovery codes");
    await hand.sees("Recovery codes");
    await hand.presses("Create recovery codes");
    await hand.ticks("I have saved these codes in a safe place");
    await hand.presses("Done");
    await isTold(fixtures, "Your recovery codes are ready.");
  },

  "an authenticator app: added with a wrong code before the right one, and removed": async (fixtures) => {
    const { hand, server } = fixtures;
    const { userId } = await signsIn(fixtures, "modern");
    // A factor that is added at the exact instant of the sign-in would be asked for at once.
    server.clock.now += 1000;
    await hand.follows("Sign-in methods");
    await hand.sees("How you sign in");
    await hand.follows("Turn on: Authenticator app");
    await hand.sees("Add an authenticator app");
    await hand.presses("Continue");
    await hand.page.getByText("Scan this QR code").waitFor();
    const right = appCode(await shownKey(fixtures), server.clock.now);
    await hand.fills({ "Code from the app": right === "000000" ? "000001" : "000000" });
    await hand.presses("Confirm");
    await hand.page.getByRole("alert").waitFor();
    await hand.fills({ "Code from the app": right });
    await hand.presses("Confirm");
    await hand.sees("Recovery codes");
    await hand.ticks("I have saved these codes in a safe place");
    await hand.presses("Done");
    await isTold(fixtures, "Your recovery codes are ready.");
    await hand.follows("Remove Authenticator app");
    await hand.sees("Remove Authenticator app?");
    await hand.presses("Remove");
    await isTold(fixtures, "The sign-in method was removed.");
    const { authMethodTypes } = await callUser(server, "ListAuthenticationMethodTypes", { userId });
    // The recovery codes stood in for the app alone, so they left with it.
    assert.deepEqual(authMethodTypes, ["AUTHENTICATION_METHOD_TYPE_PASSWORD"]);
  },

  "codes by email: left, then added with a wrong code before the right one": async (fixtures) => {
    const { hand, server } = fixtures;
    const { userId } = await signsIn(fixtures, "written");
    server.clock.now += 1000;
    const methods = async (): Promise<string[]> =>
      (await callUser(server, "ListAuthenticationMethodTypes", { userId })).authMethodTypes;
    const asksForOne = async (): Promise<void> => {
      await hand.sees("How you sign in");
      await hand.follows("Turn on: Codes by email");
      await hand.sees("Turn on: Codes by email");
      await hand.page.getByText(emailOf(fixtures, "written")).waitFor();
      await hand.presses("Send code");
      await hand.page.getByLabel("Code", { exact: true }).waitFor();
    };
    await hand.follows("Sign-in methods");
    await asksForOne();
    await hand.follows("Cancel");
    await hand.page.getByRole("link", { name: "Turn on: Codes by email" }).waitFor();
    assert.deepEqual(await methods(), ["AUTHENTICATION_METHOD_TYPE_PASSWORD"]);
    await asksForOne();
    const code = await codeTo(server, emailOf(fixtures, "written"));
    await hand.fills({ Code: code === "00000000" ? "00000001" : "00000000" });
    await hand.presses("Confirm");
    await hand.page.getByRole("alert").waitFor();
    await hand.fills({ Code: code });
    await hand.presses("Confirm");
    await hand.sees("Recovery codes");
    await hand.ticks("I have saved these codes in a safe place");
    await hand.presses("Done");
    await isTold(fixtures, "Your recovery codes are ready.");
    assert.ok((await methods()).includes("AUTHENTICATION_METHOD_TYPE_OTP_EMAIL"));
  },

  "an account at a provider: linked, and removed": async (fixtures) => {
    const { hand } = fixtures;
    const { organizationId } = await startPartner(fixtures);
    await signsIn(fixtures, "partner", { organizationId });
    await hand.follows("Sign-in methods");
    await hand.sees("How you sign in");
    await hand.follows("Link your Test provider account");
    await hand.sees("Link your Test provider account");
    await hand.presses("Continue");
    await hand.sees("Link these accounts?");
    await hand.presses("Link accounts");
    await isTold(fixtures, "The sign-in method was added.");
    await hand.follows("Remove Test provider");
    await hand.sees("Remove Test provider?");
    await hand.presses("Remove");
    await isTold(fixtures, "The sign-in method was removed.");
  },

  "sessions: one ended, then all others": async (fixtures) => {
    const { hand, server } = fixtures;
    const person = await signsIn(fixtures, "busy");
    const others = [await sessionOf(server, person), await sessionOf(server, person), await sessionOf(server, person)];
    const living = async (): Promise<number> => {
      const answers = await Promise.all(others.map(({ sessionId }) => server.rest("GET", `/v2/sessions/${sessionId}`)));
      return answers.filter(({ status }) => status === 200).length;
    };
    await hand.follows("Sessions");
    await hand.sees("Where you are signed in");
    await hand.presses(/^End (?!all)/);
    await isTold(fixtures, "The session was ended.");
    assert.equal(await living(), 2);
    await hand.presses("End all other sessions");
    await isTold(fixtures, "All other sessions were ended.");
    assert.equal(await living(), 0);
    await hand.presses("Sign out");
    await hand.sees("Sign in");
  },

  "an application that loses its access": async (fixtures) => {
    const { hand, server, client } = fixtures;
    const person = await somebody(fixtures, "shopper");
    const codeVerifier = await visit(fixtures);
    await hand.sees("Sign in");
    await name(fixtures, person);
    await hand.sees("Shop");
    const { body } = await client.exchange(hand.page.url(), codeVerifier);
    const isLetIn = async (): Promise<boolean> =>
      (
        await fetch(`${server.origin}/oidc/v1/userinfo`, {
          headers: { authorization: `Bearer ${body.access_token}` },
        })
      ).ok;
    assert.equal(await isLetIn(), true);
    await hand.page.goto(`${server.origin}/ui/account`);
    await hand.follows("Applications");
    await hand.sees("Applications with access");
    await hand.presses("Remove access for Shop");
    await isTold(fixtures, "The application no longer has access.");
    assert.equal(await isLetIn(), false);
  },

  "what happened, and what to do when it was somebody else": async (fixtures) => {
    const { hand, server } = fixtures;
    const person = await signsIn(fixtures, "wary");
    const { sessionId } = await sessionOf(server, person);
    await hand.follows("Activity");
    await hand.sees("Account activity");
    await hand.page.getByText("Your password was used to sign in.").first().waitFor();
    await hand.follows("Report something that was not you");
    await hand.sees("Was this not you?");
    await hand.presses("End all other sessions");
    await isTold(fixtures, "All other sessions were ended.");
    assert.equal((await server.rest("GET", `/v2/sessions/${sessionId}`)).status, 404);
  },

  "the data as a file, and the end of the account": async (fixtures) => {
    const { hand, server } = fixtures;
    const person = await signsIn(fixtures, "leaving");
    await appoint(server, person, { organizationId: person.organizationId }, ["SELF_MANAGEMENT_GLOBAL"]);
    await hand.follows("Your data");
    await hand.sees("Your data");
    const [download] = await Promise.all([hand.page.waitForEvent("download"), hand.presses("Download file")]);
    const data = (await json(await download.createReadStream())) as { user: { email: { address: string } } };
    assert.equal(data.user.email.address, emailOf(fixtures, "leaving"));
    await hand.follows("Delete your account");
    await hand.sees("Delete your account");
    await hand.fills({ "Login name": "somebody else" });
    await hand.presses("Delete account");
    await hand.page.getByRole("alert").waitFor();
    await hand.fills({ "Login name": person.loginName });
    await hand.presses("Delete account");
    await hand.sees("Your account is deleted");
    const read = await server.connect("service.user.v2.UserService/GetUserByID", { userId: person.userId });
    assert.equal(read.status, 404);
  },
};

/**
 * Makes a new user and shows them their account page. They signed in before, in a browser without a window: how that is
 * done in this one is in the flows of the login.
 */
async function signsIn(fixtures: Fixtures, who: string, more: Parameters<typeof somebody>[2] = {}): Promise<Person> {
  const { hand, server } = fixtures;
  const person = await somebody(fixtures, who, more);
  const { cookies } = await signedIn(server, person);
  const ofServer = { url: server.origin };
  await hand.page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, ...ofServer })));
  await hand.page.goto(`${server.origin}/ui/account`);
  await hand.sees("Your account");
  return person;
}

async function isTold({ hand }: Fixtures, news: string): Promise<void> {
  await hand.page.getByRole("status").filter({ hasText: news }).waitFor();
  const focused = hand.page.locator(":focus");
  assert.match((await focused.textContent()) ?? "", new RegExp(news), "the keyboard goes on from what was said");
}
