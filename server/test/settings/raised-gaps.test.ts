import assert from "node:assert/strict";
import { test } from "node:test";
import { type Means, signInMethods } from "../../src/domain/administrator-lockout/sign-in-methods.ts";
import { defaultLoginSettings, type LoginSettings } from "../../src/domain/settings/documents/login-settings.ts";
import { loginRaises, raiseSettings } from "../../src/domain/settings/raise-settings.ts";
import { findSignInGap } from "../../src/domain/settings/sign-in-gap.ts";

const flags = [
  "allowLocalAuthentication",
  "allowExternalIdp",
  "allowPasskeys",
  "forceMfa",
  "forceMfaLocalOnly",
] as const;
const ids = { instance: ["of-instance"], organization: ["of-organization"] };

/** Every document that differs in what decides whether users can sign in. */
function* documents(identityProviderIds: readonly string[]): Generator<LoginSettings> {
  for (let bits = 0; bits < 2 ** flags.length; bits++) {
    const chosen = Object.fromEntries(flags.map((flag, index) => [flag, (bits & (2 ** index)) !== 0]));
    for (const secondFactors of [[], ["totp"], ["recovery_codes"]] as const) {
      for (const multiFactors of [[], ["u2f_with_verification"]] as const) {
        yield { ...defaultLoginSettings, ...chosen, secondFactors, multiFactors, identityProviderIds };
      }
    }
  }
}

test("two documents that let users in never raise to one that keeps administrators of the instance out (U3)", () => {
  // Providers of the organization do not vouch for administrators of the instance.
  const gapOf = (settings: LoginSettings, vouching: readonly string[]) =>
    findSignInGap(
      settings,
      settings.identityProviderIds.some((id) => vouching.includes(id)),
    );
  const ofInstances = [...documents(ids.instance)].filter((each) => gapOf(each, ids.instance) === undefined);
  const owns = [...documents(ids.organization)].filter((each) => gapOf(each, ids.organization) === undefined);
  assert.ok(ofInstances.length > 50 && owns.length > 50);
  let demands = 0;
  for (const ofInstance of ofInstances) {
    for (const own of owns) {
      const raised = raiseSettings(loginRaises, own, ofInstance);
      const gap = gapOf(raised, ids.instance);
      if (gap !== undefined) assert.fail(`${gap}: ${JSON.stringify({ own, ofInstance, raised }, null, 2)}`);
      if (raised.forceMfa && !ofInstance.forceMfa) demands++;
    }
  }
  assert.ok(demands > 0, "demands of organizations still count");
});

test("administrators of the instance keep each sign-in method, whatever they have and their organization sets (U3)", () => {
  const demand = {
    hasFirstFactor: 0,
    secondFactorSince: null,
    formerSecondFactorSince: null,
    formerSecondFactorUntil: null,
  };
  const nothing: Means = {
    demand,
    hasPassword: false,
    hasGoodAddress: false,
    ready: [],
    keys: [],
    isReachable: { otp_email: false, otp_sms: false },
  };
  const key = { isPasskey: true, isFromMessage: false, isOneFactor: false };
  const users: Readonly<Record<string, { readonly means: Means; readonly isLinked?: true }>> = {
    password: { means: { ...nothing, demand: { ...demand, hasFirstFactor: 1 }, hasPassword: true } },
    passkey: { means: { ...nothing, demand: { ...demand, hasFirstFactor: 1 }, ready: ["passkey"], keys: [key] } },
    provider: { means: nothing, isLinked: true },
  };
  const methodsOf = (login: LoginSettings, { means, isLinked }: { readonly means: Means; readonly isLinked?: true }) =>
    signInMethods(means, {
      login,
      isVouchedFor: isLinked === true && login.identityProviderIds.includes("of-instance"),
      now: 1_000_000,
    });
  let kept = 0;
  for (const ofInstance of documents(ids.instance)) {
    for (const own of documents(ids.organization)) {
      const raised = raiseSettings(loginRaises, own, ofInstance);
      for (const [name, user] of Object.entries(users)) {
        const [before, after] = [ofInstance, raised].map((login) => methodsOf(login, user)[name as "password"]);
        // What an organization demands beyond the instance is refused where it locks one of them out.
        const isDemanded =
          raised.forceMfa !== ofInstance.forceMfa || raised.forceMfaLocalOnly !== ofInstance.forceMfaLocalOnly;
        if (before === after || (after !== undefined && isDemanded)) kept++;
        else assert.fail(`${name}, ${before}, ${after}: ${JSON.stringify({ own, ofInstance, raised }, null, 2)}`);
      }
    }
  }
  assert.ok(kept > 1000);
});
