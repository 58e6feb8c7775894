import { ErrorNotice } from "../parts/notice.tsx";
import { Page } from "../parts/page.tsx";
import { t } from "../text/catalogue.ts";

/** What is shown when a page cannot be shown. The rest of the console still works. */
export const PageFailure = ({ error }: { readonly error: unknown }) => (
  <Page title={t("problem.title")}>
    <ErrorNotice error={error} />
  </Page>
);
