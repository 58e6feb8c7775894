import { usePermissions } from "../../shell/access.ts";
import { EventLog } from "../activity/event-log.tsx";
import { OrganizationChanges } from "../activity/organization-changes.tsx";
import { OrganizationFrame } from "./organization-frame.tsx";

/** What happened to an organization and to everything that it owns. */
export function OrganizationActivityPage() {
  const permissions = usePermissions();
  return (
    <OrganizationFrame>
      {({ id }) => {
        if (permissions === undefined) return null;
        return permissions.has("events.read") ? <EventLog ownerId={id} /> : <OrganizationChanges organizationId={id} />;
      }}
    </OrganizationFrame>
  );
}
