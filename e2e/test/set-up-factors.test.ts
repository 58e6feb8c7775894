import assert from "node:assert/strict";
import { callUser } from "../../server/test/factor/support.ts";
import { startDeviceServer } from "../../server/test/oauth/device/support.ts";
import { changeSettings } from "../../server/test/support/servers/change-settings.ts";
import { addClient } from "../../server/test/support/sign-in/sign-in-client.ts";
import { appCode } from "../../server/test/support/sign-in/totp.ts";
import { browserTest } from "../support/browser.ts";
import {
  codeTo,
  emailOf,
  enter,
  type Fixtures,
  type Flows,
  organizationWith,
  shownKey,
  somebody,
  walkFlows,
} from "../support/walk-flows.ts";

browserTest(
  "a second factor is set up during sign-in without JavaScript and with the keyboard alone",
  async (t, browser) => {
    const server = await startDeviceServer(t, { now: Date.now() });
    const client = await addClient(server);
    await changeSettings(server, "login", { secondFactors: ["totp", "otp_sms", "otp_email", "recovery_codes"] });
    await walkFlows(t, browser, flows, { server, client });
  },
);

const methodsOf = async ({ server }: Fixtures, userId: string): Promise<string[]> =>
  (await callUser(server, "ListAuthenticationMethodTypes", { userId })).authMethodTypes;

const flows: Flows = {
  "an authenticator app is set up on the way in, where a second step is demanded": async (fixtures) => {
    const { hand, server } = fixtures;
    const { organizationId } = await organizationWith(fixtures, "Careful", { forceMfa: true });
    await enter(fixtures, await somebody(fixtures, "careful", { organizationId }));
    await hand.sees("Protect your account");
    await hand.presses("Authenticator app");
    await hand.sees("Set up your authenticator app");
    const right = appCode(await shownKey(fixtures), server.clock.now);
    await hand.fills({ Code: right === "000000" ? "000001" : "000000" });
    await hand.presses("Confirm");
    await hand.page.getByRole("alert").waitFor();
    await hand.fills({ Code: right });
    await hand.presses("Confirm");
    await hand.sees("Recovery codes");
    await hand.follows("I have saved these codes in a safe place");
    await hand.sees("Shop");
  },

  "codes by mail are set up on the way in, with a wrong code before the right one, and asked for once": async (
    fixtures,
  ) => {
    const { hand, server } = fixtures;
    const { organizationId } = await organizationWith(fixtures, "Written", { forceMfa: true });
    const { userId, ...person } = await somebody(fixtures, "written", { organizationId });
    await enter(fixtures, { userId, ...person });
    await hand.sees("Protect your account");
    await hand.presses("Codes by email");
    await hand.sees("Check your email");
    await hand.page.getByText("w…@mail.example").waitFor();
    await hand.page.reload();
    await hand.sees("Check your email");
    const code = await codeTo(server, emailOf(fixtures, "written"));
    await hand.fills({ Code: code === "00000000" ? "00000001" : "00000000" });
    await hand.presses("Confirm");
    await hand.page.getByRole("alert").waitFor();
    assert.deepEqual(await methodsOf(fixtures, userId), ["AUTHENTICATION_METHOD_TYPE_PASSWORD"]);
    await hand.fills({ Code: code });
    await hand.presses("Confirm");
    await hand.sees("Recovery codes");
    await hand.follows("I have saved these codes in a safe place");
    await hand.sees("Shop");
    assert.ok((await methodsOf(fixtures, userId)).includes("AUTHENTICATION_METHOD_TYPE_OTP_EMAIL"));
  },

  "codes by text message that do not arrive: something else is chosen, and nothing was switched on": async (
    fixtures,
  ) => {
    const { hand, server, suffix } = fixtures;
    const { organizationId } = await organizationWith(fixtures, "Unreached", { forceMfa: true });
    const { userId, ...person } = await somebody(fixtures, "unreached", { organizationId });
    const phone = suffix === "k" ? "+41791114455" : "+41791114466";
    await callUser(server, "SetPhone", { userId, phone, isVerified: true });
    await enter(fixtures, { userId, ...person });
    await hand.sees("Protect your account");
    await hand.presses("Codes by text message");
    await hand.sees("Check your phone");
    await hand.presses("Send another code");
    await hand.sees("Check your phone");
    await hand.follows("Choose another method");
    await hand.sees("Protect your account");
    await hand.presses("Authenticator app");
    await hand.sees("Set up your authenticator app");
    await hand.fills({ Code: appCode(await shownKey(fixtures), server.clock.now) });
    await hand.presses("Confirm");
    await hand.sees("Recovery codes");
    await hand.follows("I have saved these codes in a safe place");
    await hand.sees("Shop");
    assert.ok(!(await methodsOf(fixtures, userId)).includes("AUTHENTICATION_METHOD_TYPE_OTP_SMS"));
  },

  "a second step that is only suggested is left for later": async (fixtures) => {
    const { hand } = fixtures;
    const { organizationId } = await organizationWith(fixtures, "Easy", { mfaInitSkipLifetimeSeconds: 3600 });
    await enter(fixtures, await somebody(fixtures, "easy", { organizationId }));
    await hand.sees("Protect your account");
    await hand.presses("Not now");
    await hand.sees("Shop");
  },
};
