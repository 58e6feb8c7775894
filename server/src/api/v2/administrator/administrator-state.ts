import { AdministratorState } from "@doorward/api/service/internal_permission/v2/administrator_pb";
import { type Membership, stateOf } from "../../../domain/administrator-access/index.ts";

/** Converts the state of a position: that of its roles. */
export const toState = (position: Pick<Membership, "roles">): AdministratorState =>
  stateOf(position) === "pending" ? AdministratorState.PENDING : AdministratorState.ACTIVE;
