import type { MessageInitShape } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { TextFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import type { Administrator } from "@doorward/api/service/internal_permission/v2/administrator_pb";
import { InternalPermissionService } from "@doorward/api/service/internal_permission/v2/internal_permission_service_pb";
import {
  AdministratorFieldName,
  type AdministratorSearchFilterSchema,
} from "@doorward/api/service/internal_permission/v2/query_pb";
import { useState } from "react";
import { useAddress } from "../../address.ts";
import { Button } from "../../parts/button.tsx";
import { FilterBar, FilterChoice } from "../../parts/filter-bar.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Empty } from "../../parts/page.tsx";
import { type Column, pageSize, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { useMe } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { AdministeredResource, AdministratorName, AdministratorRoles } from "./administrator-cells.tsx";
import { ChangeRoles } from "./change-roles.tsx";
import { RemoveAdministrator } from "./remove-administrator.tsx";
import { instanceOwnerRole, knownRoles, type Level, levelName, levels, roleName } from "./roles.ts";
import { useAdministratorObstacle } from "./use-administrator-obstacle.ts";

type Filter = MessageInitShape<typeof AdministratorSearchFilterSchema>;

const name: Column<Administrator> = {
  key: "user",
  header: t("administrator.user"),
  cell: (administrator) => <AdministratorName of={administrator} />,
};

const resource: Column<Administrator> = {
  key: "resource",
  header: t("administrator.resource"),
  cell: (administrator) => <AdministeredResource of={administrator} />,
};

const rest: readonly Column<Administrator>[] = [
  {
    key: "roles",
    header: t("administrator.roles"),
    cell: (administrator) => <AdministratorRoles of={administrator} />,
  },
  {
    key: "since",
    header: t("administrator.since"),
    isSecondary: true,
    cell: ({ creationDate }) => <Time at={creationDate} />,
  },
];

/** Administrators with filters: all that the user may see, or those of one organization. */
export function AdministratorTable({ organizationId }: { readonly organizationId?: string | undefined }) {
  const { search, setSearch, page, setPage, go } = useAddress();
  const [asked, setAsked] = useState<{ readonly about: "roles" | "remove"; readonly of: Administrator }>();
  const [text = "", level = "", role = ""] = [search["q"], search["level"], search["role"]];
  const shown = organizationId ?? (isNarrowed(search) ? undefined : search["org"]);
  const filters = [
    ...(shown === undefined ? filtersOfAddress(search) : [ofOrganization(shown)]),
    ...textFilters(text),
    ...levelFilters(level),
    ...(role === "" ? [] : [withRole(role)]),
  ];
  const list = useQuery(
    InternalPermissionService.method.listAdministrators,
    {
      pagination: { limit: pageSize, offset: BigInt(page * pageSize) },
      sortingColumn: AdministratorFieldName.CREATION_DATE,
      filters,
    },
    { placeholderData: (former) => former },
  );
  const isFiltered = text + level + role !== "";
  const add = shown === undefined ? "/administrators/new" : addressOfNew(shown);
  const roleLevels = shown === undefined ? levels.filter((each) => level === "" || each === level) : ofOne;
  return (
    <>
      <FilterBar
        label={t("administrator.find")}
        text={text}
        onText={(q) => setSearch({ q })}
        list={organizationId === undefined ? "administrators" : undefined}
      >
        {shown === undefined && (
          <FilterChoice
            label={t("administrator.level")}
            value={level}
            options={levels.map((each) => [each, levelName(each)])}
            onChange={(next) => setSearch({ level: next, role: "" })}
          />
        )}
        <FilterChoice
          label={t("administrator.role")}
          value={role}
          options={roleLevels.flatMap((each) => knownRoles[each].map((key) => [key, roleName(key)] as const))}
          onChange={(next) => setSearch({ role: next })}
        />
      </FilterBar>
      <Table
        label={t("nav.administrators")}
        columns={shown === undefined ? [name, resource, ...rest] : [name, ...rest]}
        rows={list.data?.administrators}
        rowKey={keyOf}
        href={({ user }) => `/users/${user?.id}`}
        rowActions={(administrator) => (
          <RowMenu of={administrator} onAsk={(about) => setAsked({ about, of: administrator })} />
        )}
        error={list.error}
        isLoading={list.isFetching}
        empty={
          <Empty action={isFiltered ? undefined : <Button onClick={() => go(add)}>{t("administrator.add")}</Button>}>
            {isFiltered ? t("administrator.noneFound") : t("administrator.none")}
          </Empty>
        }
        paging={{ page, pageSize, total: list.data?.pagination?.totalResult, onPage: setPage }}
      />
      {asked?.about === "roles" && <ChangeRoles of={asked.of} onClose={() => setAsked(undefined)} />}
      {asked?.about === "remove" && <RemoveAdministrator of={asked.of} onClose={() => setAsked(undefined)} />}
    </>
  );
}

const ofOne: readonly Level[] = ["organization"];

/** Address of the form that appoints an administrator of an organization. */
export const addressOfNew = (organizationId: string): string =>
  `/administrators/new?level=organization&resource=${organizationId}`;

const keyOf = ({ user, resource: { case: level, value } }: Administrator): string =>
  `${user?.id} ${level} ${typeof value === "object" ? value.id : ""}`;

function RowMenu(props: { readonly of: Administrator; readonly onAsk: (about: "roles" | "remove") => void }) {
  const { of: administrator, onAsk } = props;
  const { user, roles } = administrator;
  const me = useMe();
  const obstacle = useAdministratorObstacle(administrator, "write");
  const obstacleToRemoval = useAdministratorObstacle(administrator, "delete");
  const lastOwner = useLastOwner(roles.includes(instanceOwnerRole));
  const isOffer = roles.length === 0;
  return (
    <Menu
      label={t("administrator.actionsFor", { name: user?.displayName || (user?.id ?? "") })}
      items={[
        {
          label: t("administrator.changeRoles"),
          disabledReason: obstacle,
          onSelect: () => onAsk("roles"),
        },
        {
          label: isOffer
            ? t("administrator.takeBack")
            : t(me?.id === user?.id ? "administrator.leave" : "administrator.remove"),
          isDanger: true,
          disabledReason: obstacleToRemoval ?? lastOwner,
          onSelect: () => onAsk("remove"),
        },
      ]}
    />
  );
}

/** Returns why an owner of the instance cannot be removed: there is no other. */
function useLastOwner(isOwner: boolean): string | undefined {
  const owners = useQuery(
    InternalPermissionService.method.listAdministrators,
    { pagination: { limit: 1 }, filters: [ofInstance, withRole(instanceOwnerRole)] },
    { enabled: isOwner },
  );
  return isOwner && owners.data?.pagination?.totalResult === 1n ? t("administrator.lastOwner") : undefined;
}

const ofInstance: Filter = {
  filter: { case: "resource", value: { resource: { case: "instance", value: true } } },
};

const withRole = (roleKey: string): Filter => ({ filter: { case: "role", value: { roleKey } } });

const ofOrganization = (id: string): Filter => ({
  filter: { case: "resource", value: { resource: { case: "organizationId", value: id } } },
});

/** Whether the address asks for the administrators of one project, or for the roles of one user. */
export const isNarrowed = ({ user, project }: Readonly<Record<string, string | undefined>>): boolean =>
  user !== undefined || project !== undefined;

/** Other pages lead here with the project or user that they are about. */
function filtersOfAddress(search: Readonly<Record<string, string | undefined>>): Filter[] {
  const { project, grantedTo, user } = search;
  if (user !== undefined) return [{ filter: { case: "inUserIdsFilter", value: { ids: [user] } } }];
  if (project === undefined) return [];
  const grant = { projectId: project, organizationId: grantedTo ?? "" };
  const named =
    grantedTo === undefined
      ? ({ case: "projectId", value: project } as const)
      : ({ case: "projectGrant", value: grant } as const);
  return [{ filter: { case: "resource", value: { resource: named } } }];
}

function textFilters(text: string): Filter[] {
  if (text === "") return [];
  if (/^\d{15,}$/.test(text)) return [{ filter: { case: "inUserIdsFilter", value: { ids: [text] } } }];
  const method = TextFilterMethod.CONTAINS_IGNORE_CASE;
  const queries: Filter[] = [
    { filter: { case: "userDisplayName", value: { displayName: text, method } } },
    { filter: { case: "userPreferredLoginName", value: { preferredLoginName: text, method } } },
  ];
  return [{ filter: { case: "or", value: { queries } } }];
}

/** The contract has no filter by level, but each role belongs to one. */
function levelFilters(level: string): Filter[] {
  if (level === "instance") return [ofInstance];
  const known = levels.find((each) => each === level);
  if (known === undefined) return [];
  return [{ filter: { case: "or", value: { queries: knownRoles[known].map(withRole) } } }];
}
