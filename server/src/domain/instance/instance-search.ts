import type { Page, TextMethod } from "../../database/index.ts";

/** Every condition must match. */
export type InstanceFilter =
  | { readonly by: "ids"; readonly instanceIds: readonly string[] }
  | { readonly by: "domains"; readonly domains: readonly string[] };

export interface InstanceSearch {
  readonly filters: readonly InstanceFilter[];
  readonly orderBy: "id" | "name" | "created_at";
  readonly isDescending: boolean;
  readonly page: Page;
}

export type InstanceDomainFilter =
  | { readonly by: "domain"; readonly method: TextMethod; readonly domain: string }
  | { readonly by: "primary" | "generated"; readonly value: boolean };

export interface InstanceDomainSearch {
  readonly instanceId?: string;
  /** Trusted domains instead of those that reach the instance. */
  readonly isTrusted: boolean;
  readonly filters: readonly InstanceDomainFilter[];
  readonly orderBy: "domain" | "primary" | "generated" | "created_at";
  readonly isDescending: boolean;
  readonly page: Page;
}
