import type { Administrator } from "@doorward/api/service/internal_permission/v2/administrator_pb";
import { Link } from "@tanstack/react-router";
import { linkTo } from "../../address.ts";
import { Badge } from "../../parts/badge.tsx";
import { t } from "../../text/catalogue.ts";
import { instanceOwnerRole, levelName, levelOf, roleName } from "./roles.ts";

/** The user who administers, with their login name. */
export const AdministratorName = ({ of: { user } }: { readonly of: Administrator }) => (
  <>
    {user?.displayName || user?.id}
    {user?.preferredLoginName && <span className="subtitle">{user.preferredLoginName}</span>}
  </>
);

/** The roles in words. Roles that own the instance, and roles that wait for the user's answer, are marked. */
export const AdministratorRoles = ({ of: { roles, pendingRoles } }: { readonly of: Administrator }) => (
  <span className="badges">
    {roles.map((role) => (
      <Badge key={role} look={role === instanceOwnerRole ? "good" : "neutral"}>
        {roleName(role)}
      </Badge>
    ))}
    {pendingRoles.map((role) => (
      <Badge key={role} look="warning">
        {t("administrator.offered", { role: roleName(role) })}
      </Badge>
    ))}
  </span>
);

/** What is administered, with a link to it. */
export function AdministeredResource({ of: administrator }: { readonly of: Administrator }) {
  const { resource } = administrator;
  const level = levelName(levelOf(administrator));
  switch (resource.case) {
    case "organization":
      return <Named level={level} name={resource.value.name} to={`/organizations/${resource.value.id}`} />;
    case "project":
      return <Named level={level} name={resource.value.name} to={`/projects/${resource.value.id}`} />;
    case "projectGrant":
      return <Named level={level} name={resource.value.projectName} to={`/projects/${resource.value.projectId}`} />;
    default:
      return level;
  }
}

const Named = ({ level, name, to }: { readonly level: string; readonly name: string; readonly to: string }) => (
  <>
    <Link {...linkTo(to)}>{name}</Link>
    <span className="subtitle">{level}</span>
  </>
);
