import { createContext, useContext } from "react";
import { usePermissionsOf } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";

/** The organization of the user or group that a page is about, which need not be the one of the address. */
export const OrganizationHere = createContext<string | undefined>(undefined);

/** The same as `useObstacle`, for the organization of the user or group that the page is about. */
export function useObstacleHere(permission: string): string | undefined {
  const permissions = usePermissionsOf(useContext(OrganizationHere));
  if (permissions === undefined || permissions.has(permission)) return undefined;
  return t("access.missing", { permission });
}
