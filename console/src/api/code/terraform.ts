import { type ApiCall, levelOf } from "../call.ts";
import { type Json, plainJson } from "./plain.ts";

/**
 * What the published provider calls an object, and its attributes by the names that the contract has. It has none for
 * fields of ours.
 */
interface Resource {
  /** Without the prefix of the provider. */
  readonly name: string;
  /** The member of the answer that has the object. */
  readonly member: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Of an organization: its id is an attribute. Otherwise of the instance, where its name begins with `default_`. */
  readonly isSettings?: true;
}

const plain = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.map((name) => [name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), name]),
  );

const lifetimes = ["password", "external_login", "second_factor", "multi_factor"].map(
  (name) => `${name}_check_lifetime`,
);

const settings = (name: string, attributes: Readonly<Record<string, string>>): Resource => ({
  name,
  member: "settings",
  attributes,
  isSettings: true,
});

const resources: Readonly<Record<string, Resource>> = {
  GetOrganizationByID: { name: "org", member: "org", attributes: plain("name") },
  GetProject: {
    name: "project",
    member: "project",
    attributes: { ...plain("name"), organizationId: "org_id", projectRoleAssertion: "project_role_assertion" },
  },
  GetLoginSettings: settings("login_policy", {
    ...plain("allow_register", "allow_external_idp", "force_mfa", "force_mfa_local_only", "hide_password_reset"),
    ...plain("ignore_unknown_usernames", "default_redirect_uri", "allow_domain_discovery", "mfa_init_skip_lifetime"),
    ...plain("disable_login_with_email", "disable_login_with_phone", "second_factors", "multi_factors", ...lifetimes),
    allowLocalAuthentication: "user_login",
    passkeysType: "passwordless_type",
  }),
  GetPasswordComplexitySettings: settings("password_complexity_policy", {
    minLength: "min_length",
    requiresUppercase: "has_uppercase",
    requiresLowercase: "has_lowercase",
    requiresNumber: "has_number",
    requiresSymbol: "has_symbol",
  }),
  GetPasswordExpirySettings: settings("password_age_policy", plain("max_age_days", "expire_warn_days")),
  GetLockoutSettings: settings("lockout_policy", plain("max_password_attempts")),
  GetNotificationSettings: settings("notification_policy", plain("password_change")),
  GetLegalAndSupportSettings: settings("privacy_policy", {
    ...plain("tos_link", "help_link", "support_email", "docs_link", "custom_link", "custom_link_text"),
    privacyPolicyLink: "privacy_link",
  }),
  GetDomainSettings: settings("domain_policy", {
    loginNameIncludesDomain: "user_login_must_be_domain",
    requireOrgDomainVerification: "validate_org_domains",
    smtpSenderAddressMatchesInstanceDomain: "smtp_sender_address_matches_instance_domain",
  }),
  GetOIDCSettings: settings(
    "oidc_settings",
    plain("access_token_lifetime", "id_token_lifetime", "refresh_token_idle_expiration", "refresh_token_expiration"),
  ),
};

/** The prefix of the provider's resources: that of the interface which the contract follows. */
const prefix = "zitadel";

/** Returns the answer to a read as a Terraform resource; undefined where the provider has no such resource. */
export function toTerraform(call: ApiCall): string | undefined {
  const { method, output } = call;
  const resource = resources[method.name];
  if (resource === undefined || output === undefined || method.parent.typeName.includes(".v1.")) return undefined;
  const { name, member, attributes, isSettings } = resource;
  const object = plainJson(method.output, output)[member] as Json | undefined;
  if (object === undefined) return undefined;
  const level = levelOf(call);
  const isOfOrganization = level?.case === "orgId";
  const type = `${prefix}_${isSettings === true && !isOfOrganization ? "default_" : ""}${name}`;
  const lines: [string, string][] = Object.entries(attributes).map(([inContract, attribute]) => [
    attribute,
    attributeOf(object[inContract], attribute),
  ]);
  if (isOfOrganization) lines.unshift(["org_id", quoteHcl(level.value)]);
  const width = Math.max(...lines.map(([attribute]) => attribute.length));
  return `resource "${type}" "this" {\n${lines.map(([left, right]) => `  ${left.padEnd(width)} = ${right}\n`).join("")}}\n`;
}

// Members without presence are always in the JSON; a record or duration may be absent.
function attributeOf(value: unknown, attribute: string): string {
  if (attribute === "passwordless_type") {
    return quoteHcl(value === "PASSKEYS_TYPE_ALLOWED" ? "PASSWORDLESS_TYPE_ALLOWED" : "PASSWORDLESS_TYPE_NOT_ALLOWED");
  }
  if (/_(?:lifetime|expiration)$/.test(attribute)) return quoteHcl(hours(String(value ?? "0s")));
  if (/_(?:length|days|attempts)$/.test(attribute)) return String(value ?? 0);
  if (/_factors$/.test(attribute)) return quoteHcl(value ?? []);
  if (/_(?:link|uri|email|text)$/.test(attribute) && !/^disable_/.test(attribute)) return quoteHcl(value ?? "");
  if (attribute === "name" || attribute.endsWith("_id")) return quoteHcl(value ?? "");
  return String(value ?? false);
}

/** Returns a duration of the contract (`43200s`) as the provider writes it (`12h0m0s`). */
function hours(duration: string): string {
  const seconds = Number.parseInt(duration, 10) || 0;
  return `${Math.floor(seconds / 3600)}h${Math.floor((seconds % 3600) / 60)}m${seconds % 60}s`;
}

/** Writes a value as HCL does. Quotes there are templates, so that `${…}` and `%{…}` would be evaluated. */
const quoteHcl = (value: unknown): string => JSON.stringify(value).replaceAll(/[$%](?=\{)/g, "$&$&");
