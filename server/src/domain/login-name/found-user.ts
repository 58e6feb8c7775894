import type { UserKind, UserState } from "../user/index.ts";

/** The user that a login name means. Callers decide from the states whether that user may sign in. */
export interface FoundUser {
  readonly userId: string;
  readonly organizationId: string;
  readonly organizationState: "active" | "inactive";
  readonly kind: UserKind;
  readonly state: UserState;
  readonly preferredLoginName: string;
  readonly displayName: string;
  readonly signInEpoch: number;
}
