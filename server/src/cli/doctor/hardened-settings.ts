import type { Reader } from "../../database/index.ts";
import {
  listSettingsOfKind,
  raiseToStrict,
  type SettingsDocuments,
  type SettingsKind,
} from "../../domain/settings/index.ts";
import type { Finding } from "./finding.ts";
import { hardening, ownerName } from "./hardening.ts";

interface Rule<Document> {
  /** Whether settings are less strict than the rule. */
  readonly deviates: (settings: Document) => boolean;
  readonly message: (settings: Document) => string;
  readonly fix: string;
}

type Rules = { readonly [Kind in SettingsKind]?: readonly Rule<SettingsDocuments[Kind]>[] };

const tenMinutes = 600;
const halfDay = 12 * 3600;

/** The strict values of settings; docs/hardening.md has the reason of each. */
const rules: Rules = {
  oidc: [
    {
      deviates: ({ accessTokenLifetimeSeconds }) => accessTokenLifetimeSeconds > tenMinutes,
      message: ({ accessTokenLifetimeSeconds }) => `access tokens live for ${accessTokenLifetimeSeconds} s`,
      fix: "set accessTokenLifetime to 600s or less (AdminService.UpdateOIDCSettings)",
    },
    {
      deviates: ({ idTokenLifetimeSeconds }) => idTokenLifetimeSeconds > 3600,
      message: ({ idTokenLifetimeSeconds }) => `id tokens live for ${idTokenLifetimeSeconds} s`,
      fix: "set idTokenLifetime to 3600s or less (AdminService.UpdateOIDCSettings)",
    },
  ],
  login: [
    {
      deviates: ({ allowRegister }) => allowRegister,
      message: () => "strangers may make an account",
      fix: "set allowRegister to false, and invite users instead",
    },
    {
      deviates: ({ forceMfa }) => !forceMfa,
      message: () => "no second factor is demanded",
      fix: "set forceMfa to true",
    },
    {
      deviates: ({ passwordCheckLifetimeSeconds }) => passwordCheckLifetimeSeconds > halfDay,
      message: ({ passwordCheckLifetimeSeconds }) => `a password counts for ${passwordCheckLifetimeSeconds / 3600} h`,
      fix: "set passwordCheckLifetime to 43200s or less",
    },
    {
      deviates: ({ ignoreUnknownUsernames }) => !ignoreUnknownUsernames,
      message: () => "the login tells which names exist",
      fix: "set ignoreUnknownUsernames to true",
    },
  ],
  password_complexity: [
    {
      deviates: ({ minLength }) => minLength < 12,
      message: ({ minLength }) => `passwords of ${minLength} characters are accepted`,
      fix: "set minLength to 12 or more",
    },
  ],
  lockout: [
    {
      deviates: ({ maxPasswordAttempts }) => maxPasswordAttempts > 0,
      message: ({ maxPasswordAttempts }) => `strangers lock an account by ${maxPasswordAttempts} wrong passwords`,
      fix: "set maxPasswordAttempts to 0, so that guesses are slowed down instead",
    },
  ],
  domain: [
    {
      deviates: ({ requireOrganizationDomainProof }) => !requireOrganizationDomainProof,
      message: () => "domains need no proof",
      fix: "set validateOrgDomains to true",
    },
  ],
  security: [
    {
      deviates: ({ dynamicClientRegistration: { enabled, allowUnauthenticated } }) => enabled && allowUnauthenticated,
      message: () => "strangers may register clients",
      fix: "set dynamicClientRegistration.allowUnauthenticated to false",
    },
    {
      deviates: ({ clientIdMetadataDocument: { enabled, allowAnyUrl } }) => enabled && allowAnyUrl,
      message: () => "a metadata document at any address is a client",
      fix: "set clientIdMetadataDocument.allowAnyUrl to false, and list allowedUrls",
    },
    {
      deviates: ({ enableImpersonation }) => enableImpersonation,
      message: () => "impersonation is permitted",
      fix: "set enableImpersonation to false",
    },
    {
      deviates: ({ skipConsentAcrossOrganizations }) => skipConsentAcrossOrganizations,
      message: () => "applications get the data of people of other organizations without consent",
      fix: "set skipConsentAcrossOrganizations to false",
    },
    {
      deviates: ({ embeddedIframe: { enabled } }) => enabled,
      message: () => "the login may be shown in frames of other sites",
      fix: "set embeddedIframe.enabled to false",
    },
  ],
};

/**
 * Finds the settings of instances and organizations that are less strict than docs/hardening.md asks, after the strict
 * profile where it is on.
 */
export async function checkHardenedSettings(reader: Reader, isStrict: boolean): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const kind of Object.keys(rules) as SettingsKind[]) found.push(...(await checkKind(reader, kind, isStrict)));
  return found;
}

async function checkKind<Kind extends SettingsKind>(reader: Reader, kind: Kind, isStrict: boolean): Promise<Finding[]> {
  const rulesOfKind: readonly Rule<SettingsDocuments[Kind]>[] = rules[kind] ?? [];
  return (await listSettingsOfKind(reader, kind)).flatMap(({ instanceId, organizationId, settings: stored }) => {
    const settings = isStrict ? raiseToStrict(kind, stored) : stored;
    const owner = ownerName(instanceId, organizationId);
    return rulesOfKind
      .filter(({ deviates }) => deviates(settings))
      .map(({ message, fix }) => hardening.warning(`${owner}: ${message(settings)}`, `the ${kind} settings`, fix));
  });
}
