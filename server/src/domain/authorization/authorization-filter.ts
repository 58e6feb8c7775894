import type { TextMethod } from "../../database/index.ts";
import type { AuthorizationState } from "./authorization.ts";

/** A filter for lists of role assignments. */
export type AuthorizationFilter =
  | { readonly kind: "ids"; readonly authorizationIds: readonly string[] }
  /** Those that follow in the order of ids. */
  | { readonly kind: "after"; readonly authorizationId: string }
  | { readonly kind: "organization"; readonly organizationId: string }
  | { readonly kind: "made_by"; readonly organizationIds: readonly string[]; readonly isIn: boolean }
  | { readonly kind: "state"; readonly state: AuthorizationState }
  | { readonly kind: "users"; readonly userIds: readonly string[] }
  | { readonly kind: "groups"; readonly groupIds: readonly string[] }
  | { readonly kind: "user_organization"; readonly organizationId: string }
  | { readonly kind: "login_name"; readonly method: TextMethod; readonly loginName: string }
  | { readonly kind: "display_name"; readonly method: TextMethod; readonly displayName: string }
  | { readonly kind: "project"; readonly projectId: string }
  | { readonly kind: "other_projects"; readonly projectId: string }
  | { readonly kind: "project_name"; readonly method: TextMethod; readonly name: string }
  | { readonly kind: "role_key"; readonly method: TextMethod; readonly roleKey: string }
  | { readonly kind: "project_grant"; readonly projectGrantId: string }
  /** Assignments to users, not to groups. */
  | { readonly kind: "of_users" }
  | { readonly kind: "user_kind"; readonly userKind: "human" | "machine" }
  | { readonly kind: "user_text"; readonly column: UserColumn; readonly method: TextMethod; readonly text: string }
  | { readonly kind: "organization_name"; readonly method: TextMethod; readonly name: string }
  | { readonly kind: "organization_domain"; readonly method: TextMethod; readonly domain: string }
  /** Assignments in the organization, and those of other organizations on projects that it lent to them. */
  | { readonly kind: "organization_or_owner"; readonly organizationId: string };

/** The columns by which a user is found, beside the names that all users have. */
export type UserColumn = "username" | "given_name" | "family_name" | "email";
