import { useQuery } from "@connectrpc/connect-query";
import { type Administrator, AdministratorState } from "@doorward/api/service/internal_permission/v2/administrator_pb";
import { InternalPermissionService } from "@doorward/api/service/internal_permission/v2/internal_permission_service_pb";
import { useAddress } from "../../address.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { type Column, pageSize, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../text/catalogue.ts";
import { roleName } from "../organization/roles.ts";
import { UserFrame } from "./user-frame.tsx";

/** What a user administers. */
export const UserAdministrationPage = () => <UserFrame>{({ userId }) => <Positions userId={userId} />}</UserFrame>;

function Positions({ userId }: { readonly userId: string }) {
  const { page, setPage, go } = useAddress();
  const { data, error, isFetching } = useQuery(InternalPermissionService.method.listAdministrators, {
    pagination: { offset: BigInt(page * pageSize), limit: pageSize },
    filters: [{ filter: { case: "inUserIdsFilter", value: { ids: [userId] } } }],
  });
  const administrators = (
    <Button onClick={() => go(`/administrators?user=${userId}`)}>{t("user.administration.go")}</Button>
  );
  return (
    <Section title={t("user.tab.administration")} lead={t("user.administration.lead")} actions={administrators}>
      <Table
        label={t("user.tab.administration")}
        columns={columns}
        rows={data?.administrators}
        rowKey={(position) => describe(position).key}
        error={error}
        isLoading={isFetching}
        paging={{ page, pageSize, total: data?.pagination?.totalResult, onPage: setPage }}
        empty={<Empty>{t("user.administration.none")}</Empty>}
      />
    </Section>
  );
}

function describe({ resource }: Administrator): { readonly key: string; readonly kind: string; readonly name: string } {
  switch (resource.case) {
    case "organization":
      return { key: resource.value.id, kind: t("user.organization"), name: resource.value.name };
    case "project":
      return { key: resource.value.id, kind: t("user.roles.project"), name: resource.value.name };
    case "projectGrant":
      return { key: resource.value.id, kind: t("user.administration.grant"), name: resource.value.projectName };
    default:
      return { key: "instance", kind: t("user.administration.instance"), name: t("user.administration.instanceName") };
  }
}

const columns: readonly Column<Administrator>[] = [
  {
    key: "where",
    header: t("user.administration.where"),
    cell: (position) => {
      const { kind, name } = describe(position);
      return (
        <>
          {name}
          <span className="subtitle">{kind}</span>
        </>
      );
    },
  },
  {
    key: "roles",
    header: t("user.roles.roles"),
    cell: ({ roles, pendingRoles }) => (
      <span className="badges">
        {roles.map((role) => (
          <Badge key={role}>{roleName(role)}</Badge>
        ))}
        {pendingRoles.map((role) => (
          <Badge key={role} look="warning">
            {t("user.administration.offered", { role: roleName(role) })}
          </Badge>
        ))}
      </span>
    ),
  },
  {
    key: "state",
    header: t("user.state"),
    cell: ({ state }) =>
      state === AdministratorState.PENDING ? (
        <Badge look="warning">{t("user.administration.pending")}</Badge>
      ) : (
        <Badge look="good">{t("user.state.active")}</Badge>
      ),
  },
  {
    key: "since",
    header: t("user.administration.since"),
    isSecondary: true,
    cell: ({ creationDate }) => <Time at={creationDate} />,
  },
];
