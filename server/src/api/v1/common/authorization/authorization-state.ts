import { UserGrantState } from "@doorward/api/service/user/v1/user_grant_pb";
import type { AuthorizationState } from "../../../../domain/authorization/index.ts";

/** States as the first generation names them. */
export const userGrantStates = {
  active: UserGrantState.ACTIVE,
  inactive: UserGrantState.INACTIVE,
} as const satisfies Record<AuthorizationState, UserGrantState>;
