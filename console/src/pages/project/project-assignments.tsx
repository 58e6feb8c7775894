import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { type Authorization, State } from "@doorward/api/service/authorization/v2/authorization_pb";
import { AuthorizationService } from "@doorward/api/service/authorization/v2/authorization_service_pb";
import { TextFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import { keepPreviousData } from "@tanstack/react-query";
import { useAddress } from "../../address.ts";
import { ActionTable } from "../../parts/action-table.tsx";
import { Badge } from "../../parts/badge.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { DialogButton } from "../../parts/dialog-button.tsx";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { Empty } from "../../parts/page.tsx";
import { type Column, mostCounted, pageSize } from "../../parts/table.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { AssignRoles } from "./assign-roles.tsx";
import { ProjectFrame } from "./project-frame.tsx";

const nameOf = ({ user, group }: Authorization): string => user?.displayName || group?.name || user?.id || "";

const columns: readonly Column<Authorization>[] = [
  {
    key: "who",
    header: t("project.assignment.who"),
    cell: (one) => (
      <>
        {nameOf(one)} <span className="muted">{one.user?.preferredLoginName}</span>
      </>
    ),
  },
  {
    key: "roles",
    header: t("project.tab.roles"),
    cell: ({ roles }) => roles.map(({ key, displayName }) => displayName || key).join(", "),
  },
  {
    key: "organization",
    header: t("project.organization"),
    cell: ({ organization }) => organization?.name,
    isSecondary: true,
  },
  {
    key: "state",
    header: t("project.state"),
    cell: ({ state }) =>
      state === State.ACTIVE ? (
        <Badge look="good">{t("project.active")}</Badge>
      ) : (
        <Badge look="bad">{t("project.inactive")}</Badge>
      ),
    isSecondary: true,
  },
];

/** Who has which roles in a project. */
export function ProjectAssignmentsPage() {
  const { params, search, page, setSearch, setPage } = useAddress();
  const { projectId = "" } = params;
  const obstacle = useObstacle("user.grant.write");
  const text = search["q"] ?? "";
  const byName = { displayName: text, method: TextFilterMethod.CONTAINS_IGNORE_CASE };
  const found = useQuery(
    AuthorizationService.method.listAuthorizations,
    {
      pagination: { offset: BigInt(page * pageSize), limit: pageSize, countUpTo: mostCounted },
      filters: [
        { filter: { case: "projectId", value: { id: projectId } } },
        ...(text === "" ? [] : [{ filter: { case: "userDisplayName", value: byName } } as const]),
      ],
    },
    { placeholderData: keepPreviousData },
  );
  const onDone = () => found.refetch();
  const add = (
    <DialogButton
      icon="plus"
      look="primary"
      disabledReason={obstacle}
      dialog={(close) => <AssignRoles projectId={projectId} onClose={close} onDone={onDone} />}
    >
      {t("project.assignment.add")}
    </DialogButton>
  );
  return (
    <ProjectFrame actions={add}>
      {() => (
        <>
          <FilterBar label={t("project.assignment.search")} text={text} onText={(q) => setSearch({ q })} />
          <ActionTable
            label={t("project.tab.assignments")}
            rows={found.data?.authorizations}
            rowKey={({ id }) => id}
            error={found.error}
            isLoading={found.isFetching}
            empty={<Empty>{t("project.assignment.none")}</Empty>}
            columns={columns}
            actionsLabel={(one) => t("project.assignment.actions", { name: nameOf(one) })}
            obstacle={obstacle}
            actions={(authorization) => [
              {
                label: t("project.assignment.change"),
                dialog: (close) => (
                  <AssignRoles projectId={projectId} authorization={authorization} onClose={close} onDone={onDone} />
                ),
              },
              {
                label: t("project.assignment.remove"),
                isDanger: true,
                dialog: (close) => <RemoveAssignment authorization={authorization} onClose={close} onDone={onDone} />,
              },
            ]}
            paging={{ page, pageSize, total: found.data?.pagination?.totalResult, onPage: setPage }}
          />
        </>
      )}
    </ProjectFrame>
  );
}

interface RemoveProps {
  readonly authorization: Authorization;
  readonly onClose: () => void;
  readonly onDone: () => Promise<unknown>;
}

function RemoveAssignment({ authorization, onClose, onDone }: RemoveProps) {
  const client = createClient(AuthorizationService, useTransport());
  return (
    <DangerDialog
      title={t("project.assignment.remove")}
      consequences={[t("project.assignment.remove.consequence", { name: nameOf(authorization) })]}
      action={t("project.assignment.remove")}
      onConfirm={async () => {
        await client.deleteAuthorization({ id: authorization.id });
        await onDone();
      }}
      onClose={onClose}
    />
  );
}
