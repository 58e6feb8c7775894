import type { Provider } from "@doorward/api/service/idp/v1/provider_pb";
import { IDPOwnerType } from "@doorward/api/service/idp/v1/query_pb";
import { useQuery } from "@tanstack/react-query";
import { useAddress } from "../../../address.ts";
import { Button } from "../../../parts/button.tsx";
import { Empty, Page } from "../../../parts/page.tsx";
import { type Column, pageSize, Table } from "../../../parts/table.tsx";
import { useObstacle, useOrganizationId } from "../../../shell/access.ts";
import { t } from "../../../text/catalogue.ts";
import { kindName } from "./kinds.ts";
import { useProviderAccess } from "./provider-access.ts";
import { OfferedBadge, StateBadge } from "./provider-badges.tsx";
import { useProviderKey } from "./use-provider.ts";

/** The identity providers that users can sign in with. */
export function ProvidersPage() {
  const access = useProviderAccess();
  const { page, setPage, go } = useAddress();
  const organizationId = useOrganizationId();
  const found = useQuery({
    queryKey: useProviderKey("list", String(page)),
    queryFn: () => access.list(page * pageSize, pageSize),
  });
  const obstacle = useObstacle(access.permission);
  const offered = found.data?.offered;
  const add = (
    <Button icon="plus" look="primary" disabledReason={obstacle} onClick={() => go("/settings/providers/new")}>
      {t("settings.providers.add")}
    </Button>
  );
  const columns: readonly Column<Provider>[] = [
    { key: "name", header: t("settings.providers.name"), cell: ({ name }) => name },
    { key: "kind", header: t("settings.providers.kind"), cell: ({ type }) => kindName(type), isSecondary: true },
    {
      key: "owner",
      header: t("provider.owner"),
      cell: ({ owner }) => (owner === IDPOwnerType.IDP_OWNER_TYPE_ORG ? t("scope.organization") : t("scope.instance")),
      isSecondary: true,
    },
    {
      key: "state",
      header: t("settings.keys.state"),
      cell: (provider) => (
        <>
          <StateBadge provider={provider} />
          {offered && <OfferedBadge isOffered={offered.has(provider.id)} />}
        </>
      ),
    },
  ];
  return (
    <Page
      title={t("settings.providers")}
      lead={t("settings.providers.lead")}
      parent={{ to: "/settings", label: t("nav.settings") }}
      actions={add}
    >
      <Table
        label={t("settings.providers")}
        rows={found.data?.providers}
        rowKey={({ id }) => id}
        href={({ id }) => `/settings/providers/${id}`}
        error={found.error}
        isLoading={found.isFetching}
        empty={<Empty action={add}>{t("settings.providers.none")}</Empty>}
        paging={{ page, pageSize, total: found.data?.total, onPage: setPage }}
        columns={columns.filter(({ key }) => key !== "owner" || organizationId !== undefined)}
      />
    </Page>
  );
}
