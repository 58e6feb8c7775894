import { useObstacle } from "../../shell/access.ts";
import { EventLog } from "../activity/event-log.tsx";
import { OrganizationChanges } from "../activity/organization-changes.tsx";
import { OrganizationFrame } from "./organization-frame.tsx";

/** What happened to an organization and to everything that it owns. */
export function OrganizationActivityPage() {
  const isHidden = useObstacle("events.read") !== undefined;
  return (
    <OrganizationFrame>
      {({ id }) => (isHidden ? <OrganizationChanges organizationId={id} /> : <EventLog ownerId={id} />)}
    </OrganizationFrame>
  );
}
