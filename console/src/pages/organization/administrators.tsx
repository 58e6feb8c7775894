import { useQuery } from "@connectrpc/connect-query";
import { InternalPermissionService } from "@doorward/api/service/internal_permission/v2/internal_permission_service_pb";
import { useAddress } from "../../address.ts";
import { Button } from "../../parts/button.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { useMe } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { AdministratorTable, isNarrowed } from "./administrator-table.tsx";

/** Who administers what: all levels, or what other pages ask for by the address. */
export function AdministratorsPage() {
  const { search, setSearch, go } = useAddress();
  const { user, grantedTo, org } = search;
  const isNarrow = isNarrowed(search);
  const ofResource = grantedTo === undefined ? "administrator.ofProject" : "administrator.ofGrant";
  return (
    <Page
      title={t("nav.administrators")}
      lead={t(org === undefined || isNarrow ? "administrator.lead" : "administrator.leadOrganization")}
      actions={
        <Button look="primary" icon="plus" onClick={() => go(`/administrators/new${presets(search)}`)}>
          {t("administrator.add")}
        </Button>
      }
    >
      <OwnOffers />
      {isNarrow && (
        <p>
          {t(user !== undefined ? "administrator.ofUser" : ofResource)}{" "}
          <Button look="quiet" onClick={() => setSearch({ user: "", project: "", grantedTo: "" })}>
            {t("administrator.showAll")}
          </Button>
        </p>
      )}
      <AdministratorTable />
    </Page>
  );
}

/** The form begins with what the list is about. */
function presets({ user, project, grantedTo, org }: Readonly<Record<string, string | undefined>>): string {
  if (user !== undefined) return `?user=${user}`;
  if (project !== undefined) {
    return grantedTo === undefined
      ? `?level=project&resource=${project}`
      : `?level=projectGrant&resource=${project}&grantedTo=${grantedTo}`;
  }
  return org === undefined ? "" : `?level=organization&resource=${org}`;
}

/** Offers that the user has not answered yet. The account's pages take the answer, after a recent sign-in. */
function OwnOffers() {
  const me = useMe();
  const own = useQuery(
    InternalPermissionService.method.listAdministrators,
    { pagination: { limit: 100 }, filters: [{ filter: { case: "inUserIdsFilter", value: { ids: [me?.id ?? ""] } } }] },
    { enabled: me !== undefined },
  );
  const isOffered = own.data?.administrators.some(({ pendingRoles }) => pendingRoles.length > 0);
  if (!isOffered) return null;
  return (
    <Notice>
      {t("administrator.ownOffers")} <a href="/ui/account/appointments">{t("administrator.answerOffers")}</a>
    </Notice>
  );
}
