/** A long-lived token of a service account. Its value is shown once, when it is made. */
export interface PersonalAccessToken {
  readonly tokenId: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly expiresAt: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

/** Scope of every personal access token: identity only; what it may do follows from the administrative roles of the account. */
export const personalAccessTokenScope =
  "openid profile urn:service:iam:user:metadata urn:service:iam:user:resourceowner";

/** 9999-12-31T23:59:59Z: how "does not expire" is written. */
export const farFuture = 253_402_300_799_000;
