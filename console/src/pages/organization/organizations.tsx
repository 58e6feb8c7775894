import type { MessageInitShape } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { TextQueryMethod } from "@doorward/api/service/object/v2/query_pb";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import { type Organization, OrganizationState } from "@doorward/api/service/org/v2/organization_pb";
import { OrganizationFieldName, type SearchQuerySchema } from "@doorward/api/service/org/v2/query_pb";
import { type Address, useAddress, useSorting } from "../../address.ts";
import { Button } from "../../parts/button.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { FilterBar, FilterChoice } from "../../parts/filter-bar.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Empty, Page } from "../../parts/page.tsx";
import { type Column, pageSize, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { OrganizationBadges } from "./organization-badges.tsx";

const columns: readonly Column<Organization>[] = [
  {
    key: "name",
    header: t("organization.name"),
    isSortable: true,
    cell: ({ name }) => name,
  },
  { key: "state", header: t("organization.state"), cell: (organization) => <OrganizationBadges of={organization} /> },
  { key: "domain", header: t("organization.primaryDomain"), cell: ({ primaryDomain }) => primaryDomain },
  { key: "id", header: t("organization.id"), isSecondary: true, cell: ({ id }) => <Copyable value={id} /> },
  {
    key: "created",
    header: t("organization.created"),
    isSortable: true,
    isSecondary: true,
    cell: ({ details }) => <Time at={details?.creationDate} />,
  },
];

/** The list of the organizations that the user may see. */
export function OrganizationsPage() {
  const { search, setSearch, page, setPage, go } = useAddress();
  const { by, isDescending, onSort } = useSorting("name");
  const obstacle = useObstacle("org.create");
  const [text = "", state = ""] = [search["q"], search["state"]];
  const list = useOrganizations(text, {
    query: { limit: pageSize, offset: BigInt(page * pageSize), asc: !isDescending },
    sortingColumn: by === "created" ? OrganizationFieldName.CREATION_DATE : OrganizationFieldName.NAME,
    queries: state === "" ? [] : [{ query: { case: "stateQuery", value: { state: states[state] ?? 0 } } }],
  });
  return (
    <Page
      title={t("nav.organizations")}
      lead={t("organization.lead")}
      actions={
        <Button look="primary" icon="plus" disabledReason={obstacle} onClick={() => go("/organizations/new")}>
          {t("organization.create")}
        </Button>
      }
    >
      <FilterBar label={t("organization.find")} text={text} onText={(q) => setSearch({ q })} list="organizations">
        <FilterChoice
          label={t("organization.state")}
          value={state}
          options={[
            ["active", t("organization.active")],
            ["inactive", t("organization.inactive")],
          ]}
          onChange={(next) => setSearch({ state: next })}
        />
      </FilterBar>
      <Table
        label={t("nav.organizations")}
        columns={columns}
        rows={list.data?.result}
        rowKey={({ id }) => id}
        href={({ id }) => `/organizations/${id}`}
        rowActions={(organization) => <RowMenu of={organization} go={go} onShowOnly={(id) => setSearch({ org: id })} />}
        error={list.error}
        isLoading={list.isFetching}
        empty={<Empty>{t("organization.none")}</Empty>}
        paging={{ page, pageSize, total: list.data?.details?.totalResult, onPage: setPage }}
        sorting={{ by, isDescending, onSort }}
      />
    </Page>
  );
}

const states: Readonly<Record<string, OrganizationState>> = {
  active: OrganizationState.ACTIVE,
  inactive: OrganizationState.INACTIVE,
};

const RowMenu = (props: {
  readonly of: Organization;
  readonly go: Address["go"];
  readonly onShowOnly: (id: string) => void;
}) => (
  <Menu
    label={t("organization.actionsFor", { name: props.of.name })}
    items={[
      { label: t("organization.showOnly"), onSelect: () => props.onShowOnly(props.of.id) },
      {
        label: t("organization.domains"),
        onSelect: () => props.go(`/organizations/${props.of.id}/domains`),
      },
      {
        label: t("nav.administrators"),
        onSelect: () => props.go(`/organizations/${props.of.id}/administrators`),
      },
    ]}
  />
);

interface ListInput {
  readonly query: { readonly limit: number; readonly offset: bigint; readonly asc: boolean };
  readonly sortingColumn: OrganizationFieldName;
  readonly queries: readonly MessageInitShape<typeof SearchQuerySchema>[];
}

/** Lists organizations by one text: an id, a name or a domain. Where there is no such name, domains are searched. */
function useOrganizations(text: string, { queries, ...input }: ListInput) {
  const method = TextQueryMethod.CONTAINS_IGNORE_CASE;
  const byName = { case: "nameQuery", value: { name: text, method } } as const;
  const byDomain = { case: "domainQuery", value: { domain: text, method } } as const;
  const byId = { case: "idQuery", value: { id: text } } as const;
  const isId = /^\d{15,}$/.test(text);
  const found = useQuery(
    OrganizationService.method.listOrganizations,
    { ...input, queries: text === "" ? [...queries] : [...queries, { query: isId ? byId : byName }] },
    { placeholderData: (former) => former },
  );
  const isNothing = !found.isPlaceholderData && found.data?.details?.totalResult === 0n;
  const isDomainAsked = isNothing && /^[^\s]+$/.test(text) && !isId;
  const ofDomain = useQuery(
    OrganizationService.method.listOrganizations,
    { ...input, queries: [...queries, { query: byDomain }] },
    { enabled: isDomainAsked },
  );
  return isDomainAsked ? ofDomain : found;
}
