import { type Instant, seconds } from "../base/clock.ts";
import type { Client } from "../domain/application/index.ts";
import type { OidcSettings } from "../domain/settings/index.ts";
import type { TokenOrder } from "../domain/token/index.ts";

/** What a grant decided, as far as lifetimes and keys depend on it. */
export interface DecidedTokens {
  readonly format: TokenOrder["format"];
  readonly scope: string;
  readonly audience: readonly string[];
  /** Longest lifetime of the access token in seconds; absent for that of the instance. */
  readonly longest?: number;
  /** Latest expiry of everything issued, regardless of the lifetimes; absent for no limit. */
  readonly notAfter?: Instant;
  /** Whether refreshing, too, requires the key that was proven; absent where the kind of the client decides. */
  readonly isKeyKept?: boolean;
  readonly withRefreshToken: boolean;
}

/**
 * Returns what is issued: how long it lives, and the key to which it is bound. The shortest of the lifetimes that the
 * instance, the resources and what was exchanged allow counts.
 */
export function orderTokens(
  decided: DecidedTokens,
  {
    lifetimes,
    now,
    client,
    dpopThumbprint,
  }: {
    readonly lifetimes: OidcSettings;
    readonly now: Instant;
    /** Undefined for a service account. */
    readonly client: Pick<Client, "kind"> | undefined;
    /** The key that the client proved (RFC 9449). */
    readonly dpopThumbprint: string | undefined;
  },
): TokenOrder {
  const { format, scope, audience, withRefreshToken, isKeyKept = false } = decided;
  const { notAfter = Number.POSITIVE_INFINITY, longest = Number.POSITIVE_INFINITY } = decided;
  const { accessTokenLifetimeSeconds, refreshTokenIdleLifetimeSeconds } = lifetimes;
  return {
    format,
    scope,
    audience,
    accessTokenLifetime:
      format === "none"
        ? idTokenLifetime(lifetimes, { issuedAt: now, notAfter })
        : Math.min(seconds(Math.min(accessTokenLifetimeSeconds, longest)), notAfter - now),
    refreshTokenIdleLifetime: withRefreshToken ? seconds(refreshTokenIdleLifetimeSeconds) : undefined,
    // RFC 9449 §5: a client that authenticates by a secret or a key may change the key of its tokens.
    ...(dpopThumbprint !== undefined && {
      keyBinding: { thumbprint: dpopThumbprint, isForRefresh: isKeyKept || client?.kind === "public" },
    }),
  };
}

/** Returns how long an ID token lives, in milliseconds. */
export const idTokenLifetime = (
  { idTokenLifetimeSeconds }: OidcSettings,
  { issuedAt, notAfter = Number.POSITIVE_INFINITY }: { readonly issuedAt: Instant; readonly notAfter?: Instant },
): number => Math.min(seconds(idTokenLifetimeSeconds), notAfter - issuedAt);

/**
 * Returns the end of everything that is issued from one authorization. `renewable`: refresh tokens may follow. `once`:
 * what is issued now is all. `account`: the access token of a service account.
 */
export function endOfFamily(
  kind: "renewable" | "once" | "account",
  { refreshTokenLifetimeSeconds, accessTokenLifetimeSeconds, idTokenLifetimeSeconds }: OidcSettings,
  { now, notAfter = Number.POSITIVE_INFINITY }: { readonly now: Instant; readonly notAfter?: Instant },
): Instant {
  const longest = {
    renewable: refreshTokenLifetimeSeconds,
    once: Math.max(accessTokenLifetimeSeconds, idTokenLifetimeSeconds),
    account: accessTokenLifetimeSeconds,
  };
  return Math.min(now + seconds(longest[kind]), notAfter);
}
