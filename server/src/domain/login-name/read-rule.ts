import { Fault } from "../../base/fault.ts";
import { canonicalName } from "../../base/names/canonical.ts";
import { type Tx, UniqueViolation } from "../../database/index.ts";
import { readSettings } from "../settings/index.ts";
import type { LoginNameRule } from "./login-name-rule.store.ts";

/** An organization whose users have login names. */
export interface NamedOrganization {
  readonly organizationId: string;
  readonly primaryDomain: string;
}

/** Step: returns the rule by which the login names of an organization are formed. */
export async function readRule(tx: Tx, { organizationId, primaryDomain }: NamedOrganization): Promise<LoginNameRule> {
  const { settings } = await readSettings(tx, "domain", { instanceId: tx.instanceId, organizationId });
  const isBare = !settings.loginNameIncludesDomain;
  return { organizationId, primaryDomain, primaryDomainKey: canonicalName(primaryDomain), isBare };
}

const slug = "user.login_names_collide";

/** Returns the fault of names that two users would have. */
export const collision = (cause?: unknown): Fault => new Fault("failed_precondition", slug, { field: "domain", cause });

/** Throws that fault where the unique key of login names refused a statement. */
export function refuseCollision(error: unknown): never {
  throw error instanceof UniqueViolation ? collision(error) : error;
}

/** Whether an error is that fault. */
export const isCollision = (error: unknown): boolean => error instanceof Fault && error.id === slug;
