import { Notice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { useOrganizationId, usePermissions } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { ActivityTabs } from "./activity-tabs.tsx";
import { EventLog } from "./event-log.tsx";
import { OrganizationChanges } from "./organization-changes.tsx";

/** What happened, newest first. Those who may not read the event log see the changes of their organization. */
export function ActivityPage() {
  const permissions = usePermissions();
  const organizationId = useOrganizationId();
  // Which of both is not known before the permissions are.
  if (permissions === undefined) return <Page title={t("nav.activity")}>{null}</Page>;
  const isHidden = !permissions.has("events.read");
  return (
    <Page
      title={t("nav.activity")}
      lead={t(isHidden ? "activity.leadOrganization" : "activity.lead")}
      tabs={<ActivityTabs />}
    >
      {isHidden ? (
        <>
          <Notice>{t("activity.hidden")}</Notice>
          <OrganizationChanges organizationId={organizationId} />
        </>
      ) : (
        <EventLog ownerId={organizationId} list="events" />
      )}
    </Page>
  );
}
