import type { InstantMethod, Page, TextMethod } from "../../database/index.ts";
import type { AdministeredResource, MembershipLevel } from "../administrator-access/index.ts";

/** A condition on administrators; conditions can be nested up to `deepestFilter`. */
export type AdministratorFilter =
  | { readonly by: "created_at" | "changed_at"; readonly method: InstantMethod; readonly instant: number }
  | { readonly by: "user_ids"; readonly userIds: readonly string[] }
  | { readonly by: "user_organization"; readonly organizationId: string }
  | { readonly by: "login_name" | "display_name"; readonly method: TextMethod; readonly text: string }
  | { readonly by: "resource"; readonly resource: AdministeredResource }
  | { readonly by: "scope"; readonly level: MembershipLevel; readonly resourceId: string }
  | { readonly by: "role"; readonly role: string }
  | { readonly by: "and" | "or"; readonly filters: readonly AdministratorFilter[] }
  | { readonly by: "not"; readonly filter: AdministratorFilter };

/** Maximum nesting depth of conditions. */
export const deepestFilter = 20;

export interface AdministratorSearch {
  /** All of them must match. */
  readonly filters: readonly AdministratorFilter[];
  readonly orderBy: "user_id" | "created_at" | "changed_at";
  readonly isDescending: boolean;
  readonly page: Page;
}

/** An administrator with what a list shows of the user and of the resource. */
export interface Administrator {
  readonly sequence: number;
  /** Owner of the resource; the instance at the instance level. */
  readonly ownerId: string;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly user: {
    readonly userId: string;
    readonly preferredLoginName: string;
    readonly displayName: string;
    readonly organizationId: string;
  };
  readonly resource: AdministeredResourceShown;
  /** The roles that have effect. */
  readonly roles: readonly string[];
  /** The roles that wait for the user's acceptance. */
  readonly pendingRoles: readonly string[];
}

export type AdministeredResourceShown =
  | { readonly level: "instance" }
  | { readonly level: "organization"; readonly organizationId: string; readonly name: string }
  | {
      readonly level: "project";
      readonly projectId: string;
      readonly name: string;
      readonly organizationId: string;
    }
  | {
      readonly level: "project_grant";
      readonly grantId: string;
      readonly projectId: string;
      readonly projectName: string;
      readonly organizationId: string;
      readonly grantedOrganizationId: string;
    };
