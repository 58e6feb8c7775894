import type { Tx } from "../../database/index.ts";

/**
 * Step of a later module (`administrator-lockout`), around a change of an organization's login settings, providers or
 * proven domains: refuses it when administrators who belong to the organization could sign in before and no longer can.
 */
export type RefuseLockout = <Result>(tx: Tx, organizationId: string, change: () => Promise<Result>) => Promise<Result>;
