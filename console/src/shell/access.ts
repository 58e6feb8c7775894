import { useQuery } from "@connectrpc/connect-query";
import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import { useAddress } from "../address.ts";
import { t } from "../text/catalogue.ts";

/** The user who is signed in. */
export const useMe = () => useQuery(AuthService.method.getMyUser, {}).data?.user;

/** Their administrators' roles, at the instance, organizations, projects and grants. */
export const useMyMemberships = () => useQuery(AuthService.method.listMyMemberships, {}).data?.result;

/** Id of the organization that the pages are about, or undefined for the whole instance. */
export const useOrganizationId = (): string | undefined => useAddress().search["org"];

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
