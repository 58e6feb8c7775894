import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { type Authorization, State } from "@doorward/api/service/authorization/v2/authorization_pb";
import { AuthorizationService } from "@doorward/api/service/authorization/v2/authorization_service_pb";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useAddress } from "../../address.ts";
import { useRefresh } from "../../api/refresh.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { type Column, pageSize, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { tell } from "../../parts/toast.tsx";
import { t } from "../../text/catalogue.ts";
import { type Assignee, AssignmentDialog } from "./assignment-dialog.tsx";
import { useObstacleHere } from "./obstacle-here.ts";
import { OrganizationName } from "./organization-name.tsx";

type Asked =
  | { readonly action: "add" }
  | { readonly action: "change" | "remove" | "deactivate"; readonly assignment: Authorization };

/** The role assignments of a user or a group. */
export function Assignments(assignee: Assignee) {
  const { page, setPage } = useAddress();
  const client = createClient(AuthorizationService, useTransport());
  const refresh = useRefresh();
  const [asked, setAsked] = useState<Asked>();
  const writeObstacle = useObstacleHere("user.grant.write");
  const deleteObstacle = useObstacleHere("user.grant.delete");
  const ofGroup = "groupId" in assignee;
  const { data, error, isFetching } = useQuery(AuthorizationService.method.listAuthorizations, {
    pagination: { offset: BigInt(page * pageSize), limit: pageSize },
    filters: [
      ofGroup
        ? { filter: { case: "inGroupIds", value: { ids: [assignee.groupId] } } }
        : { filter: { case: "inUserIds", value: { ids: [assignee.userId] } } },
    ],
  });
  const close = () => setAsked(undefined);
  const addButton = (
    <Button disabledReason={writeObstacle} onClick={() => setAsked({ action: "add" })}>
      {t("user.roles.add")}
    </Button>
  );
  const activate = async ({ id }: Authorization) => {
    await client.activateAuthorization({ id });
    await refresh(AuthorizationService);
    tell(t("user.roles.activated"));
  };
  return (
    <Section title={t("user.roles.title")} lead={t("user.roles.lead")} actions={addButton}>
      <Table
        label={t("user.roles.title")}
        columns={columns}
        rows={data?.authorizations}
        rowKey={({ id }) => id}
        error={error}
        isLoading={isFetching}
        paging={{ page, pageSize, total: data?.pagination?.totalResult, onPage: setPage }}
        empty={<Empty>{ofGroup ? t("user.roles.groupNone") : t("user.roles.none")}</Empty>}
        rowActions={(assignment) => (
          <Menu
            label={t("user.roles.actions", { project: assignment.project?.name ?? "" })}
            items={[
              {
                label: t("user.roles.change"),
                disabledReason: writeObstacle,
                onSelect: () => setAsked({ action: "change", assignment }),
              },
              assignment.state === State.INACTIVE
                ? {
                    label: t("user.roles.activate"),
                    disabledReason: writeObstacle,
                    onSelect: () => void activate(assignment),
                  }
                : {
                    label: t("user.roles.deactivate"),
                    disabledReason: writeObstacle,
                    onSelect: () => setAsked({ action: "deactivate", assignment }),
                  },
              {
                label: t("user.remove"),
                isDanger: true,
                disabledReason: deleteObstacle,
                onSelect: () => setAsked({ action: "remove", assignment }),
              },
            ]}
          />
        )}
      />
      {asked?.action === "add" && <AssignmentDialog assignee={assignee} onClose={close} />}
      {asked?.action === "change" && (
        <AssignmentDialog assignee={assignee} assignment={asked.assignment} onClose={close} />
      )}
      {(asked?.action === "remove" || asked?.action === "deactivate") && <EndDialog asked={asked} onClose={close} />}
    </Section>
  );
}

function EndDialog({
  asked: { action, assignment },
  onClose,
}: {
  readonly asked: Exclude<Asked, { readonly action: "add" }>;
  readonly onClose: () => void;
}) {
  const client = createClient(AuthorizationService, useTransport());
  const refresh = useRefresh();
  const project = assignment.project?.name ?? "";
  const roles = assignment.roles.map(({ displayName, key }) => displayName || key).join(", ");
  const isRemoval = action === "remove";
  return (
    <DangerDialog
      title={isRemoval ? t("user.roles.removeTitle", { project }) : t("user.roles.deactivateTitle", { project })}
      consequences={[
        ...(roles === "" ? [] : [t("user.roles.lost", { roles })]),
        t("user.roles.lostTokens"),
        ...(isRemoval ? [] : [t("user.roles.deactivateKept")]),
      ]}
      action={isRemoval ? t("user.remove") : t("user.roles.deactivate")}
      onConfirm={async () => {
        const { id } = assignment;
        await (isRemoval ? client.deleteAuthorization({ id }) : client.deactivateAuthorization({ id }));
        await refresh(AuthorizationService);
        tell(isRemoval ? t("user.roles.removed") : t("user.roles.deactivated"));
      }}
      onClose={onClose}
    />
  );
}

const columns: readonly Column<Authorization>[] = [
  {
    key: "project",
    header: t("user.roles.project"),
    cell: ({ project }) => <Link to={`/projects/${project?.id}` as "/"}>{project?.name}</Link>,
  },
  {
    key: "roles",
    header: t("user.roles.roles"),
    cell: ({ roles }) =>
      roles.length === 0 ? (
        <span className="muted">{t("user.roles.noRole")}</span>
      ) : (
        <span className="badges">
          {roles.map(({ key, displayName }) => (
            <Badge key={key}>{displayName || key}</Badge>
          ))}
        </span>
      ),
  },
  {
    key: "organization",
    header: t("user.roles.countIn"),
    cell: ({ organization }) => <OrganizationName id={organization?.id} name={organization?.name} />,
  },
  {
    key: "state",
    header: t("user.state"),
    cell: ({ state }) =>
      state === State.INACTIVE ? (
        <Badge>{t("user.state.inactive")}</Badge>
      ) : (
        <Badge look="good">{t("user.state.active")}</Badge>
      ),
  },
  {
    key: "created",
    header: t("user.created"),
    isSecondary: true,
    cell: ({ creationDate }) => <Time at={creationDate} />,
  },
];
