import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { type ProjectGrant, ProjectGrantState } from "@doorward/api/service/project/v2/project_grant_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { useAddress } from "../../address.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Empty } from "../../parts/page.tsx";
import { type Column, pageSize, Table } from "../../parts/table.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { GrantProject } from "./grant-project.tsx";
import { ProjectFrame } from "./project-frame.tsx";

type Asked =
  | { readonly action: "add" }
  | { readonly action: "change" | "deactivate" | "remove"; readonly grant: ProjectGrant };

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
  const [asked, setAsked] = useState<Asked>();
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
  const close = () => setAsked(undefined);
  const onDone = () => found.refetch();
  const activate = async ({ grantedOrganizationId }: ProjectGrant) => {
    await client.activateProjectGrant({ projectId, grantedOrganizationId });
    await onDone();
  };
  const add = (
    <Button icon="plus" look="primary" disabledReason={obstacle} onClick={() => setAsked({ action: "add" })}>
      {t("project.grant.add")}
    </Button>
  );
  return (
    <ProjectFrame actions={add}>
      {() => (
        <>
          <Table
            label={t("project.tab.grants")}
            rows={found.data?.projectGrants}
            rowKey={({ grantedOrganizationId }) => grantedOrganizationId}
            error={found.error}
            isLoading={found.isFetching}
            empty={<Empty>{t("project.grant.none")}</Empty>}
            columns={columns}
            rowActions={(grant) => (
              <GrantMenu grant={grant} obstacle={obstacle} onAsk={setAsked} onActivate={() => void activate(grant)} />
            )}
            paging={{ page, pageSize, total: found.data?.pagination?.totalResult, onPage: setPage }}
          />
          {asked?.action === "add" && <GrantProject projectId={projectId} onClose={close} onDone={onDone} />}
          {asked?.action === "change" && (
            <GrantProject projectId={projectId} grant={asked.grant} onClose={close} onDone={onDone} />
          )}
          {(asked?.action === "deactivate" || asked?.action === "remove") && (
            <EndGrant grant={asked.grant} isForGood={asked.action === "remove"} onClose={close} onDone={onDone} />
          )}
        </>
      )}
    </ProjectFrame>
  );
}

interface GrantMenuProps {
  readonly grant: ProjectGrant;
  readonly obstacle: string | undefined;
  readonly onAsk: (asked: Asked) => void;
  readonly onActivate: () => void;
}

function GrantMenu({ grant, obstacle, onAsk, onActivate }: GrantMenuProps) {
  const isActive = grant.state === ProjectGrantState.ACTIVE;
  const items = [
    { label: t("project.grant.change"), onSelect: () => onAsk({ action: "change", grant }) },
    isActive
      ? { label: t("project.grant.deactivate"), onSelect: () => onAsk({ action: "deactivate", grant }) }
      : { label: t("project.grant.activate"), onSelect: onActivate },
    { label: t("project.grant.remove"), isDanger: true, onSelect: () => onAsk({ action: "remove", grant }) },
  ];
  return (
    <Menu
      label={t("project.grant.actions", { name: grant.grantedOrganizationName })}
      items={items.map((item) => ({ ...item, disabledReason: obstacle }))}
    />
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
