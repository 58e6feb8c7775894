import { useQuery } from "@connectrpc/connect-query";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import { type Organization, OrganizationState } from "@doorward/api/service/org/v2/organization_pb";
import { Badge } from "../../parts/badge.tsx";
import { t } from "../../text/catalogue.ts";

/** Whether users belong to this organization when nothing says otherwise. It cannot be deactivated or deleted. */
export function useIsDefault(organizationId: string): boolean {
  const found = useQuery(
    OrganizationService.method.listOrganizations,
    { queries: [{ query: { case: "defaultQuery", value: {} } }] },
    { staleTime: 60_000 },
  );
  return found.data?.result[0]?.id === organizationId;
}

/** Says in words what state an organization is in, and whether it is the default one. */
export function OrganizationBadges({ of: { id, state } }: { readonly of: Pick<Organization, "id" | "state"> }) {
  const isDefault = useIsDefault(id);
  return (
    <span className="badges">
      {state === OrganizationState.ACTIVE ? (
        <Badge look="good">{t("organization.active")}</Badge>
      ) : (
        <Badge look="warning">{t("organization.inactive")}</Badge>
      )}
      {isDefault && <Badge>{t("organization.default")}</Badge>}
    </span>
  );
}
