/** Whom a sign-in application speaks for, as it says. */
export interface Said {
  readonly ip?: string;
  readonly fingerprintId?: string;
}

export const ofStranger: Said = { ip: "203.0.113.9", fingerprintId: "browser of a stranger" };
export const ofUser: Said = { ip: "198.51.100.7" };
export const atHome: Said = { ...ofUser, fingerprintId: "browser at home" };
