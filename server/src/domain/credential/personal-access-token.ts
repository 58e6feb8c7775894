/** A long-lived token of a service account. Its value is shown once, when it is created. */

/**
 * Scope of every personal access token: identity only; the administrative roles of the account decide what it may do.
 */
export const personalAccessTokenScope =
  "openid profile urn:service:iam:user:metadata urn:service:iam:user:resourceowner";

/** 9999-12-31T23:59:59Z: how "does not expire" is written. */
export const farFuture = 253_402_300_799_000;
