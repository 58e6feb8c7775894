import { useQuery } from "@connectrpc/connect-query";
import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import { useAddress } from "../address.ts";
import { useQueryOf } from "../api/organization.ts";
import type { Choice } from "../parts/picker.tsx";
import { t } from "../text/catalogue.ts";

/** The user who is signed in. */
export const useMe = () => useQuery(AuthService.method.getMyUser, {}).data?.user;

/**
 * The organization that new things belong to unless another one is chosen: that of the address, or else that of the
 * user. Undefined until it is known.
 */
export function useHomeOrganization(): Choice | undefined {
  const ofAddress = useOrganizationId();
  const ofUser = useMe()?.details?.resourceOwner;
  const id = ofAddress ?? ofUser;
  const query = { case: "idQuery", value: { id: id ?? "" } } as const;
  const found = useQuery(
    OrganizationService.method.listOrganizations,
    { queries: [{ query }] },
    { enabled: id !== undefined },
  );
  if (id === undefined || found.isPending) return undefined;
  const [organization] = found.data?.result ?? [];
  return { id, name: organization?.name ?? id, detail: organization?.primaryDomain ?? "" };
}

/** Their administrators' roles, at the instance, organizations, projects and grants. */
export const useMyMemberships = () => useQuery(AuthService.method.listMyMemberships, {}).data?.result;

/** Id of the organization that the pages are about, or undefined for the whole instance. */
export const useOrganizationId = (): string | undefined => useAddress().search["org"] || undefined;

/** What the user may do in the organization of the page; undefined until it is known. */
export function usePermissions(): ReadonlySet<string> | undefined {
  const { data } = useQuery(AuthService.method.listMyServicePermissions, {}, { staleTime: 60_000 });
  return data && new Set(data.result);
}

/**
 * Returns why the user cannot do what needs a permission, as a sentence, or undefined when they can. It is for showing
 * only: the server decides.
 */
export function useObstacle(permission: string): string | undefined {
  const permissions = usePermissions();
  if (permissions === undefined || permissions.has(permission)) return undefined;
  return t("access.missing", { permission });
}

/** The same as `usePermissions`, for an organization that need not be the one of the address. */
export function usePermissionsOf(organizationId: string | undefined): ReadonlySet<string> | undefined {
  const { data } = useQueryOf(organizationId, AuthService.method.listMyServicePermissions, {});
  return data && new Set(data.result);
}

/** The same as `useObstacle`, for an organization that need not be the one of the address. */
export function useObstacleIn(organizationId: string, permission: string): string | undefined {
  const permissions = usePermissionsOf(organizationId);
  if (permissions === undefined || permissions.has(permission)) return undefined;
  return t("access.missing", { permission });
}
