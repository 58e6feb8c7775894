import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { DescMessage } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import { brandingFields, darkThemeFields, lightThemeFields } from "../../src/api/settings/branding-fields.ts";
import { codeFields } from "../../src/api/settings/code-fields.ts";
import { domainFields } from "../../src/api/settings/domain-fields.ts";
import { legalSupportFields } from "../../src/api/settings/legal-support-fields.ts";
import { lockoutFields } from "../../src/api/settings/lockout-fields.ts";
import { loginFields } from "../../src/api/settings/login-fields.ts";
import { notificationFields } from "../../src/api/settings/notification-fields.ts";
import { oidcFields } from "../../src/api/settings/oidc-fields.ts";
import { passwordComplexityFields, passwordExpiryFields } from "../../src/api/settings/password-fields.ts";
import {
  documentFields,
  frameFields,
  registrationFields,
  securityFields,
} from "../../src/api/settings/security-fields.ts";

// Every member of every message about settings has a row in a table, and every row its members: what the contract
// declares and no table names would be accepted and ignored.

const admin = AdminService.method;
const management = ManagementService.method;
const settings = SettingsService.method;

/** Members that say where settings come from, whose they are, or what was uploaded. */
const aside = ["details", "isDefault", "resourceOwnerType", "orgId", "generatorType"];
const uploads = ["logoUrl", "logoUrlDark", "iconUrl", "iconUrlDark", "fontUrl"];

interface Case {
  readonly tables: readonly object[];
  readonly message?: DescMessage;
  readonly others?: readonly string[];
}

function namesIn(tables: readonly object[], generation: "v1" | "v2"): string[] {
  const rows = tables.flatMap((table) =>
    Object.values(table as Record<string, { [_ in "v1" | "v2"]?: { name: string } }>),
  );
  return rows.flatMap((row) => row[generation]?.name ?? []);
}

const membersOf = (message: DescMessage | undefined, others: readonly string[]): string[] =>
  (message?.fields ?? []).map(({ localName }) => localName).filter((name) => ![...aside, ...others].includes(name));

/** The message of a member: the policy of an answer, one record of another. */
function inside(message: DescMessage, name: string): DescMessage {
  const found = message.field[name]?.message;
  assert.ok(found, `${message.typeName} has no message ${name}`);
  return found;
}

const settingsOf = (method: { readonly output: DescMessage }): DescMessage => inside(method.output, "settings");
const policyOf = (method: { readonly output: DescMessage }): DescMessage => inside(method.output, "policy");

const security = settingsOf(settings.getSecuritySettings);
const setSecurity = settings.setSecuritySettings.input;
const branding = settingsOf(settings.getBrandingSettings);

const second: Readonly<Record<string, Case>> = {
  // `allowUsernamePassword` is the deprecated name of another member.
  login: { tables: [loginFields], message: settingsOf(settings.getLoginSettings), others: ["allowUsernamePassword"] },
  "password complexity": {
    tables: [passwordComplexityFields],
    message: settingsOf(settings.getPasswordComplexitySettings),
  },
  "password expiry": { tables: [passwordExpiryFields], message: settingsOf(settings.getPasswordExpirySettings) },
  lockout: { tables: [lockoutFields], message: settingsOf(settings.getLockoutSettings) },
  domain: { tables: [domainFields], message: settingsOf(settings.getDomainSettings) },
  "legal and support": { tables: [legalSupportFields], message: settingsOf(settings.getLegalAndSupportSettings) },
  branding: { tables: [brandingFields], message: branding, others: ["lightTheme", "darkTheme", "fontUrl"] },
  "light theme": { tables: [lightThemeFields], message: inside(branding, "lightTheme"), others: uploads },
  "dark theme": { tables: [darkThemeFields], message: inside(branding, "darkTheme"), others: uploads },
  security: {
    tables: [securityFields],
    message: security,
    others: ["embeddedIframe", "dynamicClientRegistration", "clientIdMetadataDocument"],
  },
  "security, in a request": {
    tables: [securityFields],
    message: setSecurity,
    others: ["embeddedIframe", "dynamicClientRegistration", "clientIdMetadataDocument"],
  },
  "frames of others": { tables: [frameFields], message: inside(security, "embeddedIframe") },
  "client registration": { tables: [registrationFields], message: inside(security, "dynamicClientRegistration") },
  "client documents": { tables: [documentFields], message: inside(security, "clientIdMetadataDocument") },
  notifications: { tables: [notificationFields], message: settingsOf(settings.getNotificationSettings) },
  "lifetimes of tokens": { tables: [oidcFields], message: settingsOf(settings.getOIDCSettings) },
  "codes, which it does not have": { tables: [codeFields] },
};

const look = [brandingFields, lightThemeFields, darkThemeFields];
// Factors and providers of an existing policy have methods of their own.
const listed = ["secondFactors", "multiFactors", "idps"];

interface FirstCase {
  readonly tables: readonly object[];
  readonly policy: DescMessage;
  readonly requests: readonly { readonly input: DescMessage }[];
  /** Members that the policy has and the requests, which change some of it, do not. */
  readonly notAsked?: readonly string[];
}

const first: Readonly<Record<string, FirstCase>> = {
  login: {
    tables: [loginFields],
    policy: policyOf(admin.getLoginPolicy),
    requests: [admin.updateLoginPolicy, management.updateCustomLoginPolicy],
    notAsked: listed,
  },
  "login, added": {
    tables: [loginFields],
    policy: policyOf(management.getLoginPolicy),
    requests: [management.addCustomLoginPolicy],
  },
  "password complexity": {
    tables: [passwordComplexityFields],
    policy: policyOf(admin.getPasswordComplexityPolicy),
    requests: [
      admin.updatePasswordComplexityPolicy,
      management.addCustomPasswordComplexityPolicy,
      management.updateCustomPasswordComplexityPolicy,
    ],
  },
  "password age": {
    tables: [passwordExpiryFields],
    policy: policyOf(admin.getPasswordAgePolicy),
    requests: [
      admin.updatePasswordAgePolicy,
      management.addCustomPasswordAgePolicy,
      management.updateCustomPasswordAgePolicy,
    ],
  },
  lockout: {
    tables: [lockoutFields],
    policy: policyOf(admin.getLockoutPolicy),
    requests: [admin.updateLockoutPolicy, management.addCustomLockoutPolicy, management.updateCustomLockoutPolicy],
  },
  domain: {
    tables: [domainFields],
    policy: policyOf(admin.getDomainPolicy),
    requests: [admin.updateDomainPolicy, admin.addCustomDomainPolicy, admin.updateCustomDomainPolicy],
  },
  notification: {
    tables: [notificationFields],
    policy: policyOf(admin.getNotificationPolicy),
    requests: [
      admin.addNotificationPolicy,
      admin.updateNotificationPolicy,
      management.addCustomNotificationPolicy,
      management.updateCustomNotificationPolicy,
    ],
  },
  privacy: {
    tables: [legalSupportFields],
    policy: policyOf(admin.getPrivacyPolicy),
    requests: [admin.updatePrivacyPolicy, management.addCustomPrivacyPolicy, management.updateCustomPrivacyPolicy],
  },
  label: {
    tables: look,
    policy: policyOf(admin.getLabelPolicy),
    requests: [admin.updateLabelPolicy, management.addCustomLabelPolicy, management.updateCustomLabelPolicy],
  },
  security: {
    tables: [securityFields, frameFields],
    policy: policyOf(admin.getSecurityPolicy),
    requests: [admin.setSecurityPolicy],
  },
  "lifetimes of tokens": {
    tables: [oidcFields],
    policy: settingsOf(admin.getOIDCSettings),
    requests: [admin.addOIDCSettings, admin.updateOIDCSettings],
  },
  codes: {
    tables: [codeFields],
    policy: inside(admin.getSecretGenerator.output, "secretGenerator"),
    requests: [admin.updateSecretGenerator],
  },
};

const ofTable = (message: DescMessage | undefined): string =>
  `+: what only the table in server/src/api/settings/ has, -: what only ${message?.typeName ?? "the contract"} has`;

describe("version 2 of the contract", () => {
  for (const [name, { tables, message, others = [] }] of Object.entries(second)) {
    test(name, () => {
      const names = namesIn(tables, "v2").toSorted();
      assert.deepEqual(names, membersOf(message, others).toSorted(), ofTable(message));
    });
  }
});

describe("version 1 of the contract", () => {
  for (const [name, { tables, policy, requests, notAsked = [] }] of Object.entries(first)) {
    test(name, () => {
      const names = namesIn(tables, "v1").toSorted();
      assert.deepEqual(names, membersOf(policy, uploads).toSorted(), ofTable(policy));
      const asked = names.filter((member) => !notAsked.includes(member));
      for (const { input } of requests) {
        const differs = `+: what only ${input.typeName} has, -: what only the table in server/src/api/settings/ has`;
        assert.deepEqual(membersOf(input, uploads).toSorted(), asked, differs);
      }
    });
  }
});

const firstOwnNumber = 1000;

test("a request can leave out a field of ours, as clients that do not know it do", () => {
  const inputs = [setSecurity, ...Object.values(first).flatMap(({ requests }) => requests.map(({ input }) => input))];
  const own = inputs.flatMap(({ fields }) => fields).filter(({ number }) => number >= firstOwnNumber);
  const always = own.filter(({ fieldKind, presence }) => fieldKind === "scalar" && presence === Presence.IMPLICIT);
  assert.deepEqual(always.map(String), [], "these have to be declared as optional");
  assert.ok(own.length > 0, "there are fields of ours");
});
