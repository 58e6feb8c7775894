import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { type ProjectGrant, ProjectGrantState } from "@doorward/api/service/project/v2/project_grant_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import { keepPreviousData } from "@tanstack/react-query";
import { useAddress } from "../../address.ts";
import { ActionTable } from "../../parts/action-table.tsx";
import { Badge } from "../../parts/badge.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { DialogButton } from "../../parts/dialog-button.tsx";
import { Empty } from "../../parts/page.tsx";
import { type Column, pageSize } from "../../parts/table.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { GrantProject } from "./grant-project.tsx";
import { ProjectFrame } from "./project-frame.tsx";

const columns: readonly Column<ProjectGrant>[] = [
  { key: "to", header: t("project.grant.to"), cell: ({ grantedOrganizationName }) => grantedOrganizationName },
  { key: "roles", header: t("project.tab.roles"), cell: ({ grantedRoleKeys }) => grantedRoleKeys.join(", ") },
  {
    key: "state",
    header: t("project.state"),
    cell: ({ state }) =>
      state === ProjectGrantState.ACTIVE ? (
        <Badge look="good">{t("project.active")}</Badge>
      ) : (
        <Badge look="bad">{t("project.inactive")}</Badge>
      ),
  },
];

/** The organizations that a project is granted to. */
export function ProjectGrantsPage() {
  const { params, page, setPage } = useAddress();
  const { projectId = "" } = params;
  const obstacle = useObstacle("project.grant.write");
  const client = createClient(ProjectService, useTransport());
  const found = useQuery(
    ProjectService.method.listProjectGrants,
    {
      pagination: { offset: BigInt(page * pageSize), limit: pageSize },
      filters: [{ filter: { case: "inProjectIdsFilter", value: { ids: [projectId] } } }],
    },
    { placeholderData: keepPreviousData },
  );
  const onDone = () => found.refetch();
  const add = (
    <DialogButton
      icon="plus"
      look="primary"
      disabledReason={obstacle}
      dialog={(close) => <GrantProject projectId={projectId} onClose={close} onDone={onDone} />}
    >
      {t("project.grant.add")}
    </DialogButton>
  );
  const end = (grant: ProjectGrant, isForGood: boolean) => (close: () => void) => (
    <EndGrant grant={grant} isForGood={isForGood} onClose={close} onDone={onDone} />
  );
  return (
    <ProjectFrame actions={add}>
      {() => (
        <ActionTable
          label={t("project.tab.grants")}
          rows={found.data?.projectGrants}
          rowKey={({ grantedOrganizationId }) => grantedOrganizationId}
          error={found.error}
          isLoading={found.isFetching}
          empty={<Empty>{t("project.grant.none")}</Empty>}
          columns={columns}
          actionsLabel={({ grantedOrganizationName: name }) => t("project.grant.actions", { name })}
          obstacle={obstacle}
          actions={(grant) => [
            {
              label: t("project.grant.change"),
              dialog: (close) => <GrantProject projectId={projectId} grant={grant} onClose={close} onDone={onDone} />,
            },
            grant.state === ProjectGrantState.ACTIVE
              ? { label: t("project.grant.deactivate"), dialog: end(grant, false) }
              : {
                  label: t("project.grant.activate"),
                  run: async () => {
                    const { grantedOrganizationId } = grant;
                    await client.activateProjectGrant({ projectId, grantedOrganizationId });
                    await onDone();
                  },
                },
            { label: t("project.grant.remove"), isDanger: true, dialog: end(grant, true) },
          ]}
          paging={{ page, pageSize, total: found.data?.pagination?.totalResult, onPage: setPage }}
        />
      )}
    </ProjectFrame>
  );
}

interface EndGrantProps {
  readonly grant: ProjectGrant;
  readonly isForGood: boolean;
  readonly onClose: () => void;
  readonly onDone: () => Promise<unknown>;
}

function EndGrant({ grant, isForGood, onClose, onDone }: EndGrantProps) {
  const client = createClient(ProjectService, useTransport());
  const { projectId, grantedOrganizationId, grantedOrganizationName: name } = grant;
  const title = isForGood ? t("project.grant.remove") : t("project.grant.deactivate");
  return (
    <DangerDialog
      title={title}
      consequences={[
        isForGood
          ? t("project.grant.remove.consequence", { name })
          : t("project.grant.deactivate.consequence", { name }),
      ]}
      action={title}
      onConfirm={async () => {
        const named = { projectId, grantedOrganizationId };
        await (isForGood ? client.deleteProjectGrant(named) : client.deactivateProjectGrant(named));
        await onDone();
      }}
      onClose={onClose}
    />
  );
}
