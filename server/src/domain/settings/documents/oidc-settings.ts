import { Fault } from "../../../base/fault.ts";

/** How long what the authorization server issues is valid, in seconds. */
export interface OidcSettings {
  readonly accessTokenLifetimeSeconds: number;
  readonly idTokenLifetimeSeconds: number;
  /** A refresh token that is not used for this long expires. */
  readonly refreshTokenIdleLifetimeSeconds: number;
  /** Absolute end of refreshing, however often. */
  readonly refreshTokenLifetimeSeconds: number;
  readonly authorizationCodeLifetimeSeconds: number;
  readonly authRequestLifetimeSeconds: number;
  readonly deviceCodeLifetimeSeconds: number;
}

const hour = 3600;
const day = 24 * hour;

export const defaultOidcSettings: OidcSettings = {
  accessTokenLifetimeSeconds: hour,
  idTokenLifetimeSeconds: hour,
  refreshTokenIdleLifetimeSeconds: 30 * day,
  refreshTokenLifetimeSeconds: 90 * day,
  authorizationCodeLifetimeSeconds: 60,
  authRequestLifetimeSeconds: 30 * 60,
  deviceCodeLifetimeSeconds: 5 * 60,
};

/** Refuses invalid lifetimes, and codes that live longer than RFC 6749 §4.1.2 recommends. */
export function checkOidcSettings(settings: OidcSettings): void {
  for (const [name, seconds] of Object.entries(settings satisfies Record<keyof OidcSettings, number>)) {
    const maximum = name === "authorizationCodeLifetimeSeconds" ? 600 : 10 * 365 * day;
    if (!(Number.isInteger(seconds) && seconds > 0 && seconds <= maximum)) {
      throw new Fault("invalid_argument", "settings.lifetime_invalid", { field: name.slice(0, -"Seconds".length) });
    }
  }
}
