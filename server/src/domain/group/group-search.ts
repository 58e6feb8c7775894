import type { Page, TextMethod } from "../../database/index.ts";

export type GroupFilter =
  | { readonly by: "ids"; readonly groupIds: readonly string[] }
  | { readonly by: "name"; readonly method: TextMethod; readonly name: string }
  | { readonly by: "organization"; readonly organizationId: string };

export interface GroupSearch {
  /** All of them must match. */
  readonly filters: readonly GroupFilter[];
  readonly orderBy: "group_id" | "name" | "created_at" | "changed_at";
  readonly isDescending: boolean;
  readonly page: Page;
}

export interface GroupUserFilter {
  readonly by: "users" | "groups";
  readonly ids: readonly string[];
}

export interface GroupUserSearch {
  /** All of them must match. */
  readonly filters: readonly GroupUserFilter[];
  readonly orderBy: "user_id" | "group_id" | "created_at";
  readonly isDescending: boolean;
  readonly page: Page;
}

/** A user's membership of a group, with what a list shows of the user. */
export interface GroupUser {
  readonly groupId: string;
  /** Organization of the group. */
  readonly organizationId: string;
  readonly userId: string;
  readonly userOrganizationId: string;
  readonly preferredLoginName: string;
  readonly displayName: string;
  readonly createdAt: number;
}
