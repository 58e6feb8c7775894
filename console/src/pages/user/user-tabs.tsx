import { Tabs } from "../../parts/tabs.tsx";
import { t } from "../../text/catalogue.ts";

/** The lists of this area. */
export const UserTabs = () => (
  <Tabs
    label={t("user.lists")}
    tabs={[
      { to: "/users", label: t("nav.users"), exact: true },
      { to: "/users/groups", label: t("user.groups") },
    ]}
  />
);
