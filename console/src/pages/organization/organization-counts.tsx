import { useQuery } from "@connectrpc/connect-query";
import { ProjectOrganizationIDFilter_Type } from "@doorward/api/service/project/v2/project_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { Link } from "@tanstack/react-router";
import { linkTo } from "../../address.ts";
import { Facts } from "../../parts/page.tsx";
import { t } from "../../text/catalogue.ts";
import { formatNumber } from "../../text/format.ts";

/** How many users and projects an organization owns; undefined until it is known. */
export function useCounts(organizationId: string): {
  readonly users: bigint | undefined;
  readonly projects: bigint | undefined;
} {
  const users = useQuery(UserService.method.listUsers, {
    query: { limit: 1 },
    queries: [{ query: { case: "organizationIdQuery", value: { organizationId } } }],
  });
  const type = ProjectOrganizationIDFilter_Type.OWNED;
  const projects = useQuery(ProjectService.method.listProjects, {
    pagination: { limit: 1 },
    filters: [{ filter: { case: "organizationIdFilter", value: { organizationId, type } } }],
  });
  return { users: users.data?.details?.totalResult, projects: projects.data?.pagination?.totalResult };
}

/** Says how much an organization has, with links to it. */
export function OrganizationCounts({ organizationId }: { readonly organizationId: string }) {
  const { users, projects } = useCounts(organizationId);
  const count = (path: string, value: bigint | undefined) =>
    value === undefined ? "" : <Link {...linkTo(`${path}?org=${organizationId}`)}>{formatNumber(value)}</Link>;
  return (
    <Facts
      facts={[
        [t("nav.users"), count("/users", users)],
        [t("nav.projects"), count("/projects", projects)],
      ]}
    />
  );
}
