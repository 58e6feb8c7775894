import { useAddress } from "../../address.ts";
import { Button } from "../../parts/button.tsx";
import { Section } from "../../parts/page.tsx";
import { t } from "../../text/catalogue.ts";
import { AdministratorTable, addressOfNew } from "./administrator-table.tsx";
import { OrganizationFrame } from "./organization-frame.tsx";

/** Who administers an organization, and with which roles. */
export const OrganizationAdministratorsPage = () => (
  <OrganizationFrame>{({ id }) => <Administrators organizationId={id} />}</OrganizationFrame>
);

function Administrators({ organizationId }: { readonly organizationId: string }) {
  const { go } = useAddress();
  const add = (
    <Button icon="plus" onClick={() => go(addressOfNew(organizationId))}>
      {t("administrator.add")}
    </Button>
  );
  return (
    <Section title={t("nav.administrators")} lead={t("administrator.leadOrganization")} actions={add}>
      <AdministratorTable organizationId={organizationId} />
    </Section>
  );
}
