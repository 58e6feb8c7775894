import { Fault } from "../../../base/fault.ts";
import { completeWebAddress } from "../../../base/names/web-address.ts";

export type SecondFactor = "totp" | "u2f" | "otp_email" | "otp_sms" | "recovery_codes";
/**
 * What the first page of the login asks for: the name, and then what has to be proven; or name and password together.
 */
export type LoginLayout = "identifier_first" | "combined";
export type MultiFactor = "u2f_with_verification";

/** How users sign in. */
export interface LoginSettings {
  /** With a username and a local credential (password, passkey …). */
  readonly allowLocalAuthentication: boolean;
  readonly allowRegister: boolean;
  readonly allowExternalIdp: boolean;
  readonly forceMfa: boolean;
  /** Demand the further factor only after a local credential, not after an external identity provider. */
  readonly forceMfaLocalOnly: boolean;
  readonly allowPasskeys: boolean;
  readonly hidePasswordReset: boolean;
  /** Ask for a password for unknown names as well, so that strangers cannot find out names. */
  readonly ignoreUnknownUsernames: boolean;
  /** Where users go after signing in without an application; empty for the account page. */
  readonly defaultRedirectUri: string;
  readonly passwordCheckLifetimeSeconds: number;
  readonly externalLoginCheckLifetimeSeconds: number;
  /** For how long a user who declined to add a second factor is not asked again. 0: users are never asked. */
  readonly mfaInitSkipLifetimeSeconds: number;
  readonly secondFactorCheckLifetimeSeconds: number;
  readonly multiFactorCheckLifetimeSeconds: number;
  readonly secondFactors: readonly SecondFactor[];
  readonly multiFactors: readonly MultiFactor[];
  /** Find the organization by the domain of an unknown login name. */
  readonly allowDomainDiscovery: boolean;
  readonly disableLoginWithEmail: boolean;
  readonly disableLoginWithPhone: boolean;
  /** Identity providers that the login offers, in this order. Ids that are unknown or belong to others are ignored. */
  readonly identityProviderIds: readonly string[];
  readonly layout: LoginLayout;
  /** No administrator signs in as a user here, even where the instance permits it. */
  readonly refuseImpersonation: boolean;
}

const hour = 3600;

export const defaultLoginSettings: LoginSettings = {
  allowLocalAuthentication: true,
  allowRegister: false,
  allowExternalIdp: true,
  forceMfa: false,
  forceMfaLocalOnly: false,
  allowPasskeys: true,
  hidePasswordReset: false,
  ignoreUnknownUsernames: true,
  defaultRedirectUri: "",
  passwordCheckLifetimeSeconds: 12 * hour,
  externalLoginCheckLifetimeSeconds: 12 * hour,
  mfaInitSkipLifetimeSeconds: 0,
  secondFactorCheckLifetimeSeconds: 18 * hour,
  multiFactorCheckLifetimeSeconds: 12 * hour,
  secondFactors: ["totp", "u2f", "recovery_codes"],
  multiFactors: ["u2f_with_verification"],
  allowDomainDiscovery: true,
  disableLoginWithEmail: false,
  disableLoginWithPhone: false,
  identityProviderIds: [],
  layout: "identifier_first",
  refuseImpersonation: false,
};

/** Whether the login offers users a message with which they set a new password. */
export const offersReset = ({ allowLocalAuthentication, hidePasswordReset }: LoginSettings): boolean =>
  allowLocalAuthentication && !hidePasswordReset;

const mostProviders = 100;

/** Refuses values that are not durations, a redirect that does not lead to a web page, and too many providers. */
export function checkLoginSettings(settings: LoginSettings): void {
  for (const [field, seconds] of Object.entries(settings)) {
    if (field.endsWith("Seconds") && !(Number.isInteger(seconds) && (seconds as number) >= 0)) {
      throw new Fault("invalid_argument", "settings.lifetime_invalid", { field: field.slice(0, -"Seconds".length) });
    }
  }
  if (settings.defaultRedirectUri !== "" && completeWebAddress(settings.defaultRedirectUri) === undefined) {
    throw new Fault("invalid_argument", "settings.redirect_invalid", { field: "defaultRedirectUri" });
  }
  if (settings.identityProviderIds.length > mostProviders) {
    const values = { field: "idps", maximum: mostProviders };
    throw new Fault("invalid_argument", "field.too_many", { field: "idps", values });
  }
}
