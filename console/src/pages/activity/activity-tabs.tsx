import { Tabs } from "../../parts/tabs.tsx";
import { t } from "../../text/catalogue.ts";

/** The lists of what happened. */
export const ActivityTabs = () => (
  <Tabs
    label={t("activity.lists")}
    tabs={[
      { to: "/activity", label: t("activity.events"), exact: true },
      { to: "/activity/sign-ins", label: t("attempt.title") },
    ]}
  />
);
