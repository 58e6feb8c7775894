import type { ReactNode } from "react";
import { Page } from "../../parts/page.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { useOrganizationId, usePermissions } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";

/** Whether the console is about one organization, which has scripts but no targets. */
export const useIsOfOrganization = (): boolean => useOrganizationId() !== undefined;

interface AutomationFrameProps {
  readonly lead: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** What the lists of the area share: its title, and the tabs that the user may read. */
export function AutomationFrame({ lead, actions, children }: AutomationFrameProps) {
  const isOfOrganization = useIsOfOrganization();
  const mayReadTargets = usePermissions()?.has("action.target.read") !== false;
  const isInstance = !isOfOrganization && mayReadTargets;
  return (
    <Page
      title={t("nav.automation")}
      lead={lead}
      actions={actions}
      tabs={
        <Tabs
          label={t("automation.tabs")}
          tabs={[
            ...(isInstance
              ? [
                  { to: "/automation", label: t("automation.targets"), exact: true },
                  { to: "/automation/executions", label: t("automation.executions") },
                  { to: "/automation/failures", label: t("automation.failures") },
                  { to: "/automation/scripts", label: t("automation.scripts") },
                ]
              : [{ to: "/automation", label: t("automation.scripts"), exact: true }]),
            { to: "/automation/triggers", label: t("automation.triggers") },
          ]}
        />
      }
    >
      {children}
    </Page>
  );
}
