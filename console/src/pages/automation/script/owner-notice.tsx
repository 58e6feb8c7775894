import { Notice } from "../../../parts/notice.tsx";
import { useHomeOrganization, useOrganizationId } from "../../../shell/access.ts";
import { t } from "../../../text/catalogue.ts";

/** Says whose scripts are shown while the console is about the whole instance, which has none itself. */
export function OwnerNotice() {
  const isOfInstance = useOrganizationId() === undefined;
  const home = useHomeOrganization();
  return isOfInstance && home ? <Notice>{t("automation.scripts.owner", { name: home.name })}</Notice> : null;
}
