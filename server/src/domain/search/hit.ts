import type { UserState } from "../user/index.ts";

/** What a search finds, in the order in which it is shown. */
export const hitKinds = [
  "user",
  "service_account",
  "organization",
  "project",
  "application",
  "project_grant",
  "group",
  "identity_provider",
  "session",
  "target",
  "authorization",
  "events",
  "sign_in_attempt",
] as const;

export type HitKind = (typeof hitKinds)[number];

/** Something that was found. */
export interface Hit {
  readonly kind: HitKind;
  readonly id: string;
  readonly name: string;
  /** What tells it from others of the same name. */
  readonly detail: string;
  /** Empty for what belongs to the instance. */
  readonly organizationId: string;
  /** Absent where the kind has none. */
  readonly state?: UserState;
  readonly projectId?: string;
  readonly grantedOrganizationId?: string;
  readonly userId?: string;
}

/** What is searched for. */
export interface Wanted {
  /** As it was entered, without blanks around it; never empty. */
  readonly text: string;
  /** The form in which names are compared. */
  readonly key: string;
  /** Only what belongs to this organization, or was granted to it. */
  readonly organizationId: string | undefined;
}

/** At most so many of each kind. */
export const mostOfKind = 8;
