import { Link } from "@tanstack/react-router";
import { Page } from "../parts/page.tsx";
import { t } from "../text/catalogue.ts";

/** The page of an address that the console does not have. */
export const NotFound = () => (
  <Page title={t("notFound.title")} lead={t("notFound.lead")}>
    <p>
      <Link to="/">{t("notFound.home")}</Link>
    </p>
  </Page>
);
