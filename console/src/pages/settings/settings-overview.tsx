import { Link } from "@tanstack/react-router";
import { Page } from "../../parts/page.tsx";
import { useOrganizationId } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { settingsLinks } from "./settings-links.ts";

/** All settings of the instance, or of the organization that the console is about. */
export function SettingsOverview() {
  const isInstance = useOrganizationId() === undefined;
  return (
    <Page title={t("nav.settings")} lead={isInstance ? t("settings.lead.instance") : t("settings.lead.organization")}>
      <ul className="cards">
        {settingsLinks(isInstance).map(({ to, title, lead }) => (
          <li key={to} className="card">
            <h2>
              <Link to={to as "/"}>{t(title)}</Link>
            </h2>
            <p className="muted">{t(lead)}</p>
          </li>
        ))}
      </ul>
    </Page>
  );
}
