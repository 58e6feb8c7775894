import { useAddress } from "../../address.ts";
import { Button } from "../../parts/button.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { ToolTabs } from "../tool/tool-tabs.tsx";
import { ExportOrganizations } from "./export-organizations.tsx";

/** What can be moved in and out with files. */
export function TransferPage() {
  const { go } = useAddress();
  const userObstacle = useObstacle("user.write");
  const organizationObstacle = useObstacle("iam.write");
  return (
    <Page title={t("import.title")} lead={t("import.lead")} tabs={<ToolTabs />}>
      <Section title={t("import.users")} lead={t("import.users.lead")}>
        <GoButton obstacle={userObstacle} onGo={() => go("/tools/import/users")}>
          {t("import.users")}
        </GoButton>
      </Section>
      <Section title={t("export.users")} lead={t("export.users.lead")}>
        <GoButton obstacle={undefined} onGo={() => go("/users")}>
          {t("nav.users")}
        </GoButton>
      </Section>
      <Section title={t("import.organizations")} lead={t("import.organizations.lead")}>
        <GoButton obstacle={organizationObstacle} onGo={() => go("/tools/import/organizations")}>
          {t("import.organizations")}
        </GoButton>
      </Section>
      <ExportOrganizations />
    </Page>
  );
}

const GoButton = (props: {
  readonly obstacle: string | undefined;
  readonly onGo: () => void;
  readonly children: string;
}) => (
  <>
    {props.obstacle !== undefined && <p className="read-only">{props.obstacle}</p>}
    <p>
      <Button disabledReason={props.obstacle} onClick={props.onGo}>
        {props.children}
      </Button>
    </p>
  </>
);
