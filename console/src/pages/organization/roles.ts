import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ResourceTypeSchema } from "@doorward/api/service/internal_permission/v2/administrator_operations_pb";
import type { Administrator } from "@doorward/api/service/internal_permission/v2/administrator_pb";
import { type TextKey, t } from "../../text/catalogue.ts";

/** A resource as the methods that change roles name it. */
export type Resource = NonNullable<MessageInitShape<typeof ResourceTypeSchema>["resource"]>;

/** Where roles apply, from the widest to the narrowest. */
export type Level = "instance" | "organization" | "project" | "projectGrant";

export const levels: readonly Level[] = ["instance", "organization", "project", "projectGrant"];

export const levelName = (level: Level): string => t(`administrator.level.${level}`);

/** The role that owns the instance; at least one user who can sign in has it. */
export const instanceOwnerRole = "IAM_OWNER";

/** The role that owns an organization. */
export const ownerRole = "ORG_OWNER";

/** Roles of each level that the console has words for, in the order in which they are offered. */
export const knownRoles = {
  instance: [
    "IAM_OWNER",
    "IAM_OWNER_VIEWER",
    "IAM_ORG_MANAGER",
    "IAM_USER_MANAGER",
    "IAM_ADMIN_IMPERSONATOR",
    "IAM_END_USER_IMPERSONATOR",
    "IAM_LOGIN_CLIENT",
  ],
  organization: [
    "ORG_OWNER",
    "ORG_OWNER_VIEWER",
    "ORG_USER_MANAGER",
    "ORG_SETTINGS_MANAGER",
    "ORG_USER_PERMISSION_EDITOR",
    "ORG_PROJECT_PERMISSION_EDITOR",
    "ORG_PROJECT_CREATOR",
    "ORG_ADMIN_IMPERSONATOR",
    "ORG_END_USER_IMPERSONATOR",
    "ORG_USER_SELF_MANAGER",
    "ORG_DYNAMIC_CLIENT_REGISTRAR",
    "SELF_MANAGEMENT_GLOBAL",
  ],
  project: ["PROJECT_OWNER", "PROJECT_OWNER_VIEWER", "PROJECT_OWNER_GLOBAL", "PROJECT_OWNER_VIEWER_GLOBAL"],
  projectGrant: ["PROJECT_GRANT_OWNER", "PROJECT_GRANT_OWNER_VIEWER"],
} as const satisfies Readonly<Record<Level, readonly string[]>>;

type KnownRole = (typeof knownRoles)[Level][number];

const everyKnown: readonly string[] = levels.flatMap((level) => [...knownRoles[level]]);

const isKnown = (role: string): role is KnownRole => everyKnown.includes(role);

/** Returns the name of a role in words; a role that the console does not know is shown by its key. */
export const roleName = (role: string): string => (isKnown(role) ? t(`administrator.role.${role}` as TextKey) : role);

/** Says in a sentence what a role may do. */
export const roleDuty = (role: string): string => (isKnown(role) ? t(`administrator.duty.${role}` as TextKey) : "");

/** Returns at which level an administrator's roles apply. */
export const levelOf = ({ resource }: Administrator): Level => resource.case ?? "instance";

/** Returns the resource of an administrator as the methods that change their roles name it. */
export function resourceOf({ resource }: Administrator): Resource {
  switch (resource.case) {
    case "organization":
      return { case: "organizationId", value: resource.value.id };
    case "project":
      return { case: "projectId", value: resource.value.id };
    case "projectGrant": {
      const { projectId, grantedOrganizationId, id } = resource.value;
      return {
        case: "projectGrant",
        value: { projectId, organizationId: grantedOrganizationId, projectGrantId: id },
      };
    }
    default:
      return { case: "instance", value: true };
  }
}
