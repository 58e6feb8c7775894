import { isDeepStrictEqual } from "node:util";
import type { Reader } from "../../database/index.ts";
import {
  listSettingsOfKind,
  raiseToStrict,
  type SettingsDocuments,
  type SettingsKind,
  type StrictFloors,
  strictLimits,
} from "../../domain/settings/index.ts";
import type { Finding } from "./finding.ts";
import { hardening, ownerName } from "./hardening.ts";

/** What the doctor says of a setting that the strict profile would raise. */
interface Advice<Value> {
  /** Whether the setting does anything as it is; it does when absent. */
  readonly matters?: (value: Value) => boolean;
  readonly message: (value: Value) => string;
  readonly fix: string;
}

type ValueOf<Kind extends SettingsKind, Name> = Name extends keyof SettingsDocuments[Kind]
  ? SettingsDocuments[Kind][Name]
  : never;

const hours = (seconds: number): string => `${seconds / 3600} h`;
const { accessTokenSeconds, idTokenSeconds, checkSeconds, passwordLength } = strictLimits;

/** A line for each floor of the strict profile: one that is missing does not compile. */
const ofFloors: {
  readonly [Kind in keyof StrictFloors]: {
    readonly [Name in keyof StrictFloors[Kind]]: Advice<ValueOf<Kind, Name>>;
  };
} = {
  oidc: {
    accessTokenLifetimeSeconds: {
      message: (seconds) => `access tokens live for ${seconds} s`,
      fix: `set accessTokenLifetime to ${accessTokenSeconds}s or less (AdminService.UpdateOIDCSettings)`,
    },
    idTokenLifetimeSeconds: {
      message: (seconds) => `id tokens live for ${seconds} s`,
      fix: `set idTokenLifetime to ${idTokenSeconds}s or less (AdminService.UpdateOIDCSettings)`,
    },
  },
  login: {
    allowRegister: {
      message: () => "anyone may create an account",
      fix: "set allowRegister to false, and invite users instead",
    },
    ignoreUnknownUsernames: {
      message: () => "the login reveals which names exist",
      fix: "set ignoreUnknownUsernames to true",
    },
    passwordCheckLifetimeSeconds: {
      message: (seconds) => `a password counts for ${hours(seconds)}`,
      fix: `set passwordCheckLifetime to ${checkSeconds}s or less`,
    },
    externalLoginCheckLifetimeSeconds: {
      message: (seconds) => `a sign-in at an identity provider counts for ${hours(seconds)}`,
      fix: `set externalLoginCheckLifetime to ${checkSeconds}s or less`,
    },
    secondFactorCheckLifetimeSeconds: {
      message: (seconds) => `a second factor counts for ${hours(seconds)}`,
      fix: `set secondFactorCheckLifetime to ${checkSeconds}s or less`,
    },
    multiFactorCheckLifetimeSeconds: {
      message: (seconds) => `a passkey counts for ${hours(seconds)}`,
      fix: `set multiFactorCheckLifetime to ${checkSeconds}s or less`,
    },
  },
  password_complexity: {
    minLength: {
      message: (length) => `passwords of ${length} characters are accepted`,
      fix: `set minLength to ${passwordLength} or more`,
    },
  },
  lockout: {
    maxPasswordAttempts: {
      message: (attempts) => `anyone can lock an account with ${attempts} wrong passwords`,
      fix: "set maxPasswordAttempts to 0, so that guesses are slowed down instead",
    },
  },
  domain: {
    requireOrganizationDomainProof: {
      message: () => "domains need no proof",
      fix: "set validateOrgDomains to true",
    },
  },
  security: {
    dynamicClientRegistration: {
      matters: ({ enabled }) => enabled,
      message: () => "anyone may register clients",
      fix: "set dynamicClientRegistration.allowUnauthenticated to false",
    },
    clientIdMetadataDocument: {
      matters: ({ enabled }) => enabled,
      message: () => "a metadata document at any address is accepted as a client",
      fix: "set clientIdMetadataDocument.allowAnyUrl to false, and list allowedUrls",
    },
    skipConsentAcrossOrganizations: {
      message: () => "applications get the data of users of other organizations without consent",
      fix: "set skipConsentAcrossOrganizations to false",
    },
  },
};

interface Rule<Document> {
  /** Whether settings are less strict than the rule. */
  readonly deviates: (settings: Document) => boolean;
  readonly message: string;
  readonly fix: string;
}

/** What the strict profile leaves to administrators. */
const leftToAdministrators: { readonly [Kind in SettingsKind]?: readonly Rule<SettingsDocuments[Kind]>[] } = {
  login: [
    {
      deviates: ({ forceMfa }) => !forceMfa,
      message: "no second factor is required",
      fix: "set forceMfa to true",
    },
  ],
  security: [
    {
      deviates: ({ enableImpersonation }) => enableImpersonation,
      message: "impersonation is permitted",
      fix: "set enableImpersonation to false",
    },
    {
      deviates: ({ embeddedIframe: { enabled } }) => enabled,
      message: "other sites may show the login in a frame",
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
  for (const kind of Object.keys(ofFloors) as SettingsKind[]) found.push(...(await checkKind(reader, kind, isStrict)));
  return found;
}

async function checkKind<Kind extends SettingsKind>(reader: Reader, kind: Kind, isStrict: boolean): Promise<Finding[]> {
  return (await listSettingsOfKind(reader, kind)).flatMap(({ instanceId, organizationId, settings: stored }) => {
    const settings = isStrict ? raiseToStrict(kind, stored) : stored;
    const owner = ownerName(instanceId, organizationId);
    return [...belowFloors(kind, settings), ...againstRules(kind, settings)].map(({ message, fix }) =>
      hardening.warning(`${owner}: ${message}`, `the ${kind} settings`, fix),
    );
  });
}

interface Deviation {
  readonly message: string;
  readonly fix: string;
}

type Advices = Readonly<Record<string, Advice<unknown>>>;
const adviceOf = ofFloors as Partial<Record<SettingsKind, unknown>> as Partial<Record<SettingsKind, Advices>>;
const valuesOf = (document: object): Readonly<Record<string, unknown>> => Object.fromEntries(Object.entries(document));

function belowFloors<Kind extends SettingsKind>(kind: Kind, settings: SettingsDocuments[Kind]): Deviation[] {
  const [values, raised] = [valuesOf(settings), valuesOf(raiseToStrict(kind, settings))];
  const advices: Advices = adviceOf[kind] ?? {};
  return Object.entries(advices)
    .filter(([name]) => !isDeepStrictEqual(values[name], raised[name]))
    .filter(([name, { matters }]) => matters?.(values[name]) !== false)
    .map(([name, { message, fix }]) => ({ message: message(values[name]), fix }));
}

function againstRules<Kind extends SettingsKind>(kind: Kind, settings: SettingsDocuments[Kind]): Deviation[] {
  const rules: readonly Rule<SettingsDocuments[Kind]>[] = leftToAdministrators[kind] ?? [];
  return rules.filter(({ deviates }) => deviates(settings));
}
