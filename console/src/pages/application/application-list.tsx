import { useQuery } from "@connectrpc/connect-query";
import {
  ApplicationSorting,
  ApplicationState,
  ApplicationType,
} from "@doorward/api/service/application/v2/application_pb";
import { ApplicationService } from "@doorward/api/service/application/v2/application_service_pb";
import { TextFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useAddress } from "../../address.ts";
import { FilterBar, FilterChoice } from "../../parts/filter-bar.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Empty, Page } from "../../parts/page.tsx";
import { pageSize, Table } from "../../parts/table.tsx";
import { t } from "../../text/catalogue.ts";
import { applicationColumns } from "./application-columns.tsx";

const isClientId = (text: string): boolean => /^\d{10,}(@.+)?$/.test(text);

/** The applications of every project that the user may see. */
export function ApplicationListPage() {
  const { search, page, setSearch, setPage } = useAddress();
  const { q: text = "", state = "", kind = "" } = search;
  const byName = { name: text, method: TextFilterMethod.CONTAINS_IGNORE_CASE };
  const found = useQuery(
    ApplicationService.method.listApplications,
    {
      pagination: { offset: BigInt(page * pageSize), limit: pageSize, asc: true },
      sortingColumn: ApplicationSorting.APPLICATION_SORT_BY_NAME,
      filters: [
        ...(text === ""
          ? []
          : [
              isClientId(text)
                ? ({ filter: { case: "clientIdFilter", value: { clientId: text } } } as const)
                : ({ filter: { case: "nameFilter", value: byName } } as const),
            ]),
        ...(state === ""
          ? []
          : [{ filter: { case: "stateFilter", value: Number(state) as ApplicationState } } as const]),
        ...(kind === "" ? [] : [{ filter: { case: "typeFilter", value: Number(kind) as ApplicationType } } as const]),
      ],
    },
    { placeholderData: keepPreviousData },
  );
  const create = (
    <Link to={"/applications/new" as "/"} className="button primary">
      <Icon name="plus" />
      {t("application.create")}
    </Link>
  );
  const isFiltered = text !== "" || state !== "" || kind !== "";
  return (
    <Page title={t("nav.applications")} lead={t("application.lead")} actions={create}>
      <FilterBar label={t("application.search")} text={text} onText={(q) => setSearch({ q })} list="applications">
        <FilterChoice
          label={t("application.kind")}
          value={kind}
          options={[
            [String(ApplicationType.OIDC), t("application.kind.oidc")],
            [String(ApplicationType.API), t("application.kind.api")],
            [String(ApplicationType.SAML), t("application.kind.saml")],
          ]}
          onChange={(value) => setSearch({ kind: value })}
        />
        <FilterChoice
          label={t("application.state")}
          value={state}
          options={[
            [String(ApplicationState.ACTIVE), t("application.active")],
            [String(ApplicationState.INACTIVE), t("application.inactive")],
          ]}
          onChange={(value) => setSearch({ state: value })}
        />
      </FilterBar>
      <Table
        label={t("nav.applications")}
        columns={applicationColumns}
        rows={found.data?.applications}
        rowKey={({ applicationId }) => applicationId}
        href={({ applicationId }) => `/applications/${applicationId}`}
        error={found.error}
        isLoading={found.isFetching}
        empty={<Empty action={create}>{isFiltered ? t("application.noneFound") : t("application.none")}</Empty>}
        paging={{ page, pageSize, total: found.data?.pagination?.totalResult, onPage: setPage }}
      />
    </Page>
  );
}
