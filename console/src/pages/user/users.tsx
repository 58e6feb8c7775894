import { useQuery } from "@connectrpc/connect-query";
import { UserFieldName } from "@doorward/api/service/user/v2/query_pb";
import type { User } from "@doorward/api/service/user/v2/user_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { useAddress, useSorting } from "../../address.ts";
import { nameOf } from "../../api/user-name.ts";
import { Button } from "../../parts/button.tsx";
import { FilterBar, FilterChoice } from "../../parts/filter-bar.tsx";
import { Empty, Page } from "../../parts/page.tsx";
import { type Column, isUncounted, mostCounted, pageSize, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { useObstacle, useOrganizationId } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { OrganizationName, OrganizationNames } from "./organization-name.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { usePages } from "./use-pages.ts";
import { type UserQueries, useQueries } from "./use-queries.ts";
import { useSelection } from "./use-selection.ts";
import { UserBadges } from "./user-badges.tsx";
import { UserDownload } from "./user-download.tsx";
import { UserTabs } from "./user-tabs.tsx";
import { stateChoices } from "./words.ts";

const sortingColumns: Readonly<Record<string, UserFieldName>> = {
  name: UserFieldName.DISPLAY_NAME,
  email: UserFieldName.EMAIL,
  state: UserFieldName.STATE,
  created: UserFieldName.CREATION_DATE,
};

/** All users and service accounts of the instance or an organization. */
export function UsersPage() {
  const { search, setSearch, go } = useAddress();
  const { text = "", kind = "", state = "", sort = "" } = search;
  const sorting = useSorting("name");
  const organizationId = useOrganizationId();
  const obstacle = useObstacle("user.write");
  const queries = useQueries();
  const { pageToken, pagingOf } = usePages(JSON.stringify([text, kind, state, sort, organizationId]));
  const { data, error, isFetching } = useUsers(sorting, queries, pageToken);
  const selection = useSelection(JSON.stringify([text, kind, state, organizationId]));
  const total = useWholeTotal(data?.details?.totalResult, queries, selection.count > 0);
  const isFiltered = text !== "" || kind !== "" || state !== "";
  const createButton = (
    <Button look="primary" icon="plus" disabledReason={obstacle} onClick={() => go("/users/new")}>
      {t("user.list.create")}
    </Button>
  );
  return (
    <Page
      title={t("nav.users")}
      lead={t("user.list.lead")}
      tabs={<UserTabs />}
      actions={
        <>
          <UserDownload queries={queries} />
          <Button disabledReason={obstacle} onClick={() => go("/users/new-service-account")}>
            {t("user.list.createService")}
          </Button>
          {createButton}
        </>
      }
    >
      <Filters />
      {selection.count > 0 && (
        <SelectionBar
          selected={
            selection.isAll
              ? { users: { case: "filter", value: { queries } }, count: total ?? mostCounted }
              : { users: { case: "userIds", value: { userIds: [...selection.keys] } }, count: selection.count }
          }
          total={selection.isAll || selection.count >= (total ?? 0) ? undefined : total}
          onSelectAll={selection.selectAll}
          onClear={selection.clear}
        />
      )}
      <OrganizationNames
        of={organizationId === undefined ? data?.result.map(({ details }) => details?.resourceOwner) : []}
      >
        <Table
          selection={
            obstacle === undefined
              ? {
                  keys: selection.isAll ? new Set(data?.result.map(({ userId }) => userId)) : selection.keys,
                  label: (user) => t("job.select.row", { name: nameOf(user) }),
                  onSelect: selection.select,
                }
              : undefined
          }
          label={t("nav.users")}
          columns={columns.filter(({ key }) => key !== "organization" || organizationId === undefined)}
          rows={data?.result}
          rowKey={({ userId }) => userId}
          href={({ userId }) => `/users/${userId}`}
          error={error}
          isLoading={isFetching}
          sorting={sorting}
          paging={{ ...pagingOf(data), total: data?.details?.totalResult }}
          empty={
            isFiltered ? (
              <NothingFound onClear={() => setSearch({ text: "", kind: "", state: "" })} />
            ) : (
              <Empty action={createButton}>{t("user.list.empty")}</Empty>
            )
          }
        />
      </OrganizationNames>
    </Page>
  );
}

const NothingFound = ({ onClear }: { readonly onClear: () => void }) => (
  <Empty action={<Button onClick={onClear}>{t("user.list.clear")}</Button>}>{t("user.list.nothing")}</Empty>
);

/** Reads the page of the list that the address is about. */
function useUsers(
  { by, isDescending }: { readonly by: string; readonly isDescending: boolean },
  queries: UserQueries,
  pageToken: string,
) {
  const { page } = useAddress();
  return useQuery(UserService.method.listUsers, {
    pageToken,
    query: { offset: BigInt(page * pageSize), limit: pageSize, asc: !isDescending, countUpTo: mostCounted },
    sortingColumn: sortingColumns[by] ?? UserFieldName.DISPLAY_NAME,
    queries,
  });
}

/** Counts all users of the list once some are selected: what is done with all of them names their number. */
function useWholeTotal(counted: bigint | undefined, queries: UserQueries, isWanted: boolean): number | undefined {
  const isMore = isUncounted(counted);
  const whole = useQuery(
    UserService.method.listUsers,
    { query: { limit: 1 }, queries },
    { enabled: isMore && isWanted },
  );
  const total = isMore ? whole.data?.details?.totalResult : counted;
  return total === undefined ? undefined : Number(total);
}

function Filters() {
  const { search, setSearch } = useAddress();
  const { text = "", kind = "", state = "" } = search;
  return (
    <FilterBar label={t("user.list.find")} text={text} onText={(text) => setSearch({ text })} list="users">
      <FilterChoice
        label={t("user.kind")}
        value={kind}
        options={[
          ["human", t("user.kind.humans")],
          ["service", t("user.kind.services")],
        ]}
        onChange={(kind) => setSearch({ kind })}
      />
      <FilterChoice
        label={t("user.state")}
        value={state}
        options={stateChoices()}
        onChange={(state) => setSearch({ state })}
      />
    </FilterBar>
  );
}

const columns: readonly Column<User>[] = [
  {
    key: "name",
    header: t("user.name"),
    isSortable: true,
    cell: (user) => (
      <>
        {nameOf(user)}
        <span className="subtitle">{user.preferredLoginName}</span>
      </>
    ),
  },
  {
    key: "email",
    header: t("user.email"),
    isSortable: true,
    isSecondary: true,
    cell: ({ type }) =>
      type.case === "human" ? type.value.email?.email : <span className="muted">{t("user.kind.service")}</span>,
  },
  {
    key: "organization",
    header: t("user.organization"),
    isSecondary: true,
    cell: ({ details }) => <OrganizationName id={details?.resourceOwner} />,
  },
  {
    key: "state",
    header: t("user.state"),
    isSortable: true,
    cell: (user) => <UserBadges user={user} />,
  },
  {
    key: "created",
    header: t("user.created"),
    isSortable: true,
    isSecondary: true,
    cell: ({ details }) => <Time at={details?.creationDate} />,
  },
];
