import { Notice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { useObstacle, useOrganizationId } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { EventLog } from "./event-log.tsx";
import { OrganizationChanges } from "./organization-changes.tsx";

/** What happened, newest first. Those who may not read the event log see the changes of their organization. */
export function ActivityPage() {
  const isHidden = useObstacle("events.read") !== undefined;
  const organizationId = useOrganizationId();
  return (
    <Page title={t("nav.activity")} lead={t(isHidden ? "activity.leadOrganization" : "activity.lead")}>
      {isHidden ? (
        <>
          <Notice>{t("activity.hidden")}</Notice>
          <OrganizationChanges organizationId={organizationId} />
        </>
      ) : (
        <EventLog ownerId={organizationId} />
      )}
    </Page>
  );
}
