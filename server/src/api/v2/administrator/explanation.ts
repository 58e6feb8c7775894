import type { MessageInitShape } from "@bufbuild/protobuf";
import { methods } from "@doorward/api/methods";
import {
  type ExplainPermissionRequest,
  type ExplainPermissionResponseSchema,
  type PermissionPathSchema,
  PermissionLevel as WireLevel,
} from "@doorward/api/service/internal_permission/v2/explanation_pb";
import { InternalPermissionService } from "@doorward/api/service/internal_permission/v2/internal_permission_service_pb";
import { Fault } from "../../../base/fault.ts";
import type { Call } from "../../../call/index.ts";
import type { Database } from "../../../database/index.ts";
import { type AdministeredResource, memberPermission } from "../../../domain/administrator-access/index.ts";
import {
  type Explanation,
  explainPermission,
  explainRole,
  isPermission,
  type PermissionPath,
  type RolesOnResource,
} from "../../../domain/permission-explanation/index.ts";
import { type Binding, bind } from "../../contract/index.ts";
import { requireResource } from "./administrator-filter.ts";

interface Deps {
  readonly database: Database;
}

/** The explanation of permissions. */
export const explanationMethods = (deps: Deps): Binding =>
  bind(InternalPermissionService, {
    async explainPermission(call, request) {
      const resource = requireResource(request.resource?.resource);
      const { permissions, isAllowedForOwn, explanation } = await explain(deps, call, { request, resource });
      return {
        ...toMessage(explanation),
        permissions: [...permissions],
        allowedForOwn: isAllowedForOwn,
        // A method without a permission is open to every user who signed in.
        ...(permissions.length === 0 && isAllowedForOwn && { allowed: true }),
      };
    },
  });

interface Explained {
  readonly permissions: readonly string[];
  readonly isAllowedForOwn: boolean;
  readonly explanation: Explanation;
}

async function explain(
  deps: Deps,
  call: Call,
  {
    request: { userId, subject },
    resource,
  }: { readonly request: ExplainPermissionRequest; readonly resource: AdministeredResource },
): Promise<Explained> {
  switch (subject.case) {
    case "permission": {
      const permissions = [subject.value];
      const explanation = await explainPermission(deps, call, { userId, resource, permissions });
      return { permissions, isAllowedForOwn: false, explanation };
    }
    case "method": {
      const asked = readMethod(call, subject.value, resource.level);
      return { ...asked, explanation: await explainPermission(deps, call, { userId, resource, ...asked }) };
    }
    case "roleKey": {
      const explanation = await explainRole(deps, call, { userId, resource, roleKey: subject.value });
      return { permissions: [], isAllowedForOwn: false, explanation };
    }
    case undefined:
      throw new Fault("invalid_argument", "permission.unknown", { field: "permission" });
    default:
      return subject satisfies never;
  }
}

/** Returns the permissions of which a method needs one, as the contract says, and whether it also serves one's own. */
function readMethod(
  { alias }: Call,
  given: string,
  level: AdministeredResource["level"],
): Pick<Explained, "permissions" | "isAllowedForOwn"> {
  const name = given.replace(/^\//, "");
  const ours = alias !== undefined && name.startsWith(`${alias}.`) ? `service${name.slice(alias.length)}` : name;
  const found = methods.find(({ service, method }) => `${service}/${method}` === ours);
  if (found === undefined) throw new Fault("invalid_argument", "method.unknown", { field: "method" });
  const { access } = found;
  if (access.kind === "open") return { permissions: [], isAllowedForOwn: true };
  const { effectivePermission = "" } = access;
  const said = effectivePermission.split(/[^\w.]+/).filter((word) => isPermission(word) && !isOfOneself(word));
  const all = [...new Set(access.kind === "permission" ? [access.permission, ...said] : said)];
  // Methods on administrators need the permission of the level.
  const ofLevel = all.filter((each) => each.startsWith(`${memberPermission[level]}.`));
  const permissions = ofLevel.length > 0 ? ofLevel : all;
  const isForOwn = all.length === 0 || /self|own/.test(effectivePermission);
  return { permissions, isAllowedForOwn: access.kind === "self" && isForOwn };
}

// What users need to do something to themselves gives nothing over others.
const isOfOneself = (permission: string): boolean => permission.includes(".self.");

function toMessage(explanation: Explanation): MessageInitShape<typeof ExplainPermissionResponseSchema> {
  const { isAllowed, isInactive, paths, missing, permissionsToGive, administrators } = explanation;
  return {
    allowed: isAllowed,
    paths: paths.map(toPath),
    missing: missing.map(toRoles),
    permissionsToGive: [...permissionsToGive],
    administrators: administrators.map(({ userId: id, ...user }) => ({ id, ...user })),
    inactive: isInactive ?? false,
  };
}

function toPath(path: PermissionPath): MessageInitShape<typeof PermissionPathSchema> {
  const effective = path.isEffective;
  if (path.by === "administrator") return { effective, path: { case: "administrator", value: toRoles(path.held) } };
  const { authorizationId: id, ...assignment } = path.assignment;
  return { effective, path: { case: "authorization", value: { id, ...assignment } } };
}

const levels = {
  instance: WireLevel.INSTANCE,
  organization: WireLevel.ORGANIZATION,
  project: WireLevel.PROJECT,
  project_grant: WireLevel.PROJECT_GRANT,
} as const satisfies Record<RolesOnResource["level"], WireLevel>;

const toRoles = ({ level, resourceId, roles }: RolesOnResource) => ({
  level: levels[level],
  resourceId,
  roles: [...roles],
});
