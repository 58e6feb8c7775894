import type { SettingsDocuments, SettingsKind } from "./settings.ts";

type Floors = {
  readonly [Kind in SettingsKind]?: {
    readonly [Name in keyof SettingsDocuments[Kind]]?: (
      value: SettingsDocuments[Kind][Name],
    ) => SettingsDocuments[Kind][Name];
  };
};

/** The numbers of the strict profile; docs/hardening.md has the reason of each. */
export const strictLimits = {
  accessTokenSeconds: 600,
  idTokenSeconds: 3600,
  /** For how long any check of a sign-in counts (NIST SP 800-63B §4.2.3: 12 hours). */
  checkSeconds: 12 * 3600,
  passwordLength: 12,
  /** For how long a client manages its registration with one token; each change of it gives another one. */
  registrationTokenSeconds: 30 * 24 * 3600,
} as const;

const atMost =
  (limit: number) =>
  (value: number): number =>
    Math.min(value, limit);
const atLeast =
  (limit: number) =>
  (value: number): number =>
    Math.max(value, limit);
const on = (): boolean => true;
const off = (): boolean => false;

const check = atMost(strictLimits.checkSeconds);

/**
 * What the strict profile makes of each setting that it does not leave to administrators. The profile and the doctor
 * read this one table.
 */
export const strictFloors = {
  oidc: {
    accessTokenLifetimeSeconds: atMost(strictLimits.accessTokenSeconds),
    idTokenLifetimeSeconds: atMost(strictLimits.idTokenSeconds),
  },
  login: {
    allowRegister: off,
    ignoreUnknownUsernames: on,
    passwordCheckLifetimeSeconds: check,
    externalLoginCheckLifetimeSeconds: check,
    // Otherwise a stolen cookie and the password would be enough for as long as its owner's second factor counts.
    secondFactorCheckLifetimeSeconds: check,
    // A passkey is the whole sign-in.
    multiFactorCheckLifetimeSeconds: check,
  },
  password_complexity: { minLength: atLeast(strictLimits.passwordLength) },
  lockout: { maxPasswordAttempts: () => 0 },
  domain: { requireOrganizationDomainProof: on },
  security: {
    skipConsentAcrossOrganizations: off,
    dynamicClientRegistration: (value) => ({ ...value, allowUnauthenticated: false }),
    clientIdMetadataDocument: (value) => ({ ...value, allowAnyUrl: false }),
  },
} as const satisfies Floors;

export type StrictFloors = typeof strictFloors;
