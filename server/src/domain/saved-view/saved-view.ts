import type { Instant } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { hasInvisible } from "../../base/names/canonical.ts";
import { type Call, isOfInstance, requireCaller } from "../../call/index.ts";

/** A list of the console. */
export type ViewedList =
  | "users"
  | "groups"
  | "organizations"
  | "projects"
  | "applications"
  | "administrators"
  | "events"
  | "sign_in_attempts"
  | "jobs";

/** Filters and sorting of a list, as one user named them. */
export interface SavedView {
  readonly viewId: string;
  readonly list: ViewedList;
  readonly name: string;
  /** The query of the list's address, without `?`. */
  readonly search: string;
  readonly createdAt: Instant;
  readonly changedAt: Instant;
}

/** As many views a user may have. */
export const mostOfUser = 50;

/** Returns the user whose views a call is about: their own. System users and the operator have none. */
export function ownerOf(call: Call): string {
  const caller = requireCaller(call);
  if (!isOfInstance(caller)) throw new Fault("not_found", "user.not_found");
  return caller.userId;
}

// What browsers write where they encode a form (`application/x-www-form-urlencoded`), and nothing else.
const query = /^[A-Za-z0-9*._+%=&-]*$/;

/** Refuses an invisible name, and an invalid query. The contract limits their lengths. */
export function checkSavedView({ name, search }: { readonly name?: string; readonly search?: string }): void {
  if (name?.trim() === "")
    throw new Fault("invalid_argument", "field.required", { field: "name", values: { field: "name" } });
  if (name !== undefined && hasInvisible(name)) throw invalid("name");
  if (search !== undefined && !query.test(search)) throw invalid("search");
}

const invalid = (field: string): Fault => new Fault("invalid_argument", "field.invalid", { field, values: { field } });
