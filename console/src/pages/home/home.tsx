import { Page } from "../../parts/page.tsx";
import { t } from "../../text/catalogue.ts";

/** The first page: what is left to do, and what is happening. */
export function HomePage() {
  return <Page title={t("nav.home")}>{null}</Page>;
}
