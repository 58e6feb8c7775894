import { Tabs } from "../../parts/tabs.tsx";
import { t } from "../../text/catalogue.ts";

/** The pages of the tools. */
export const ToolTabs = () => (
  <Tabs
    label={t("tool.tabs")}
    tabs={[
      { to: "/tools", label: t("tool.inspector"), exact: true },
      { to: "/tools/request", label: t("request.title") },
      { to: "/tools/explain", label: t("explain.title") },
      { to: "/tools/jobs", label: t("job.title") },
      { to: "/tools/import", label: t("import.title") },
    ]}
  />
);
