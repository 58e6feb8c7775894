import { useQuery } from "@connectrpc/connect-query";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import { Link } from "@tanstack/react-router";

/** Returns an organization by its id. The answer is kept for a while, because a list asks for the same ones often. */
export function useOrganization(id: string | undefined) {
  const { data } = useQuery(
    OrganizationService.method.listOrganizations,
    { queries: [{ query: { case: "idQuery", value: { id: id ?? "" } } }] },
    { enabled: id !== undefined && id !== "", staleTime: 300_000 },
  );
  return data?.result[0];
}

/** Name of an organization, which leads to it. */
export function OrganizationName({ id }: { readonly id: string | undefined }) {
  const organization = useOrganization(id);
  if (id === undefined || id === "") return <span className="muted">–</span>;
  return <Link to={`/organizations/${id}` as "/"}>{organization?.name ?? id}</Link>;
}
