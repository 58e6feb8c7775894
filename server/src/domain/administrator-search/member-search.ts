import type { Details, Page, TextMethod } from "../../database/index.ts";

/** A condition on the administrators of one resource. */
export type MemberFilter =
  | { readonly by: "given_name" | "family_name" | "email"; readonly method: TextMethod; readonly text: string }
  | { readonly by: "user"; readonly userId: string };

export type MemberColumn = "user_id" | "created_at" | "changed_at" | "user_organization_id";

export interface MemberSearch {
  /** All of them must match. */
  readonly filters: readonly MemberFilter[];
  readonly orderBy: MemberColumn;
  readonly isDescending: boolean;
  readonly page: Page;
}

/**
 * An administrator of a resource with what a list shows of the user. Service accounts have neither names nor an
 * address.
 */
export interface Member {
  readonly userId: string;
  readonly userKind: "human" | "machine";
  readonly userOrganizationId: string;
  readonly preferredLoginName: string;
  readonly displayName: string;
  /** Name of the file of the user's picture; empty for none. */
  readonly avatarFile: string;
  readonly email: string;
  readonly givenName: string;
  readonly familyName: string;
  /** The roles that have effect. */
  readonly roles: readonly string[];
  /** The roles that wait for the user's acceptance. */
  readonly pendingRoles: readonly string[];
  readonly details: Details;
}
