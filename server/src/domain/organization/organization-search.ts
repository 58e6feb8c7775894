import type { Page, TextMethod } from "../../database/index.ts";
import type { OrganizationState } from "./organization.ts";

/** Every condition must match. */
export type OrganizationFilter =
  | { readonly by: "name"; readonly method: TextMethod; readonly name: string }
  /** Any domain of the organization, verified or not. */
  | { readonly by: "domain"; readonly method: TextMethod; readonly domain: string }
  /** Undefined: a state in which no organization is. */
  | { readonly by: "state"; readonly state: OrganizationState | undefined }
  | { readonly by: "id"; readonly organizationId: string }
  | { readonly by: "ids"; readonly organizationIds: readonly string[] }
  | { readonly by: "default" };

export interface OrganizationSearch {
  readonly filters: readonly OrganizationFilter[];
  readonly orderBy: "name" | "created_at";
  readonly isDescending: boolean;
  readonly page: Page;
}

/** Every condition must match. */
export interface OrganizationDomainFilter {
  readonly method: TextMethod;
  readonly domain: string;
}

export interface OrganizationDomainSearch {
  readonly organizationId: string;
  readonly filters: readonly OrganizationDomainFilter[];
  readonly orderBy: "domain" | "created_at";
  readonly isDescending: boolean;
  readonly page: Page;
}
