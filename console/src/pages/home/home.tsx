import { Page } from "../../parts/page.tsx";
import { useOrganizationId, usePermissions } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { RecentFailures } from "../attempt/recent-failures.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { RecentActivity } from "./recent-activity.tsx";
import { Usage } from "./usage.tsx";

/** The first page: what is left to do, how much happens, and what happened last. */
export function HomePage() {
  const permissions = usePermissions();
  const organizationId = useOrganizationId();
  const isInstance = organizationId === undefined;
  const readsInstance = isInstance && permissions?.has("iam.read") === true;
  return (
    <Page title={t("nav.home")} lead={t("home.lead")}>
      {readsInstance && <FirstSteps />}
      {(readsInstance || !isInstance) && permissions?.has("user.read") && <Usage key={organizationId} />}
      {permissions?.has("user.read") && <RecentFailures />}
      {isInstance && permissions?.has("events.read") && <RecentActivity />}
    </Page>
  );
}
