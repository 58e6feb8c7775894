import { AdministratorTable } from "./administrator-table.tsx";
import { OrganizationFrame } from "./organization-frame.tsx";

/** Who administers an organization, and with which roles. */
export const OrganizationAdministratorsPage = () => (
  <OrganizationFrame>{({ id }) => <AdministratorTable organizationId={id} />}</OrganizationFrame>
);
