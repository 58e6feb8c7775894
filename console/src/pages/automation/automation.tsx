import { usePermissions } from "../../shell/access.ts";
import { useIsOfOrganization } from "./automation-frame.tsx";
import { ScriptsPage } from "./script/scripts.tsx";
import { TargetsPage } from "./target/targets.tsx";

/** Where the area begins: targets for administrators of the instance, scripts for those of an organization. */
export function AutomationPage() {
  const permissions = usePermissions();
  const isOfOrganization = useIsOfOrganization();
  if (permissions === undefined) return null;
  return isOfOrganization || !permissions.has("action.target.read") ? <ScriptsPage /> : <TargetsPage />;
}
