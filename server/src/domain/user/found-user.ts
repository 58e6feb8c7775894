import type { UserKind, UserState } from "./user.ts";

/** Whom a login name means. Whether that user may sign in is for the caller to decide from the states. */
export interface FoundUser {
  readonly userId: string;
  readonly organizationId: string;
  readonly organizationState: "active" | "inactive";
  readonly kind: UserKind;
  readonly state: UserState;
  readonly preferredLoginName: string;
  readonly displayName: string;
}
