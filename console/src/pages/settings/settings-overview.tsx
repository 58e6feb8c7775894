import { Link } from "@tanstack/react-router";
import { Page } from "../../parts/page.tsx";
import { useOrganizationId } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { documentsOf } from "./documents.ts";

/** All settings of the instance, or of the organization that the console is about. */
export function SettingsOverview() {
  const isInstance = useOrganizationId() === undefined;
  const cards = [
    ...documentsOf(isInstance).map(({ path, title, lead }) => ({
      to: `/settings/${path}`,
      title: t(title),
      lead: t(lead),
    })),
    { to: "/settings/branding", title: t("appearance.branding"), lead: t("appearance.branding.lead") },
    { to: "/settings/texts", title: t("appearance.texts"), lead: t("appearance.texts.lead") },
    { to: "/settings/providers", title: t("settings.providers"), lead: t("settings.providers.lead") },
    ...(isInstance
      ? [
          { to: "/settings/languages", title: t("appearance.languages"), lead: t("appearance.languages.lead") },
          { to: "/settings/mail", title: t("settings.mail"), lead: t("settings.mail.lead") },
          { to: "/settings/sms", title: t("settings.sms"), lead: t("settings.sms.lead") },
          { to: "/settings/codes", title: t("settings.codes"), lead: t("settings.codes.lead") },
          { to: "/settings/features", title: t("settings.features"), lead: t("settings.features.lead") },
          { to: "/settings/keys", title: t("settings.keys"), lead: t("settings.keys.lead") },
          { to: "/settings/saml-keys", title: t("settings.saml"), lead: t("settings.saml.lead") },
        ]
      : []),
  ];
  return (
    <Page title={t("nav.settings")} lead={isInstance ? t("settings.lead.instance") : t("settings.lead.organization")}>
      <ul className="cards">
        {cards.map(({ to, title, lead }) => (
          <li key={to} className="card">
            <h2>
              <Link to={to as "/"}>{title}</Link>
            </h2>
            <p className="muted">{lead}</p>
          </li>
        ))}
      </ul>
    </Page>
  );
}
