import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { TextFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import { type ProjectRole, ProjectRoleFieldName } from "@doorward/api/service/project/v2/project_role_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import { keepPreviousData } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { useAddress } from "../../address.ts";
import { ActionTable } from "../../parts/action-table.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { DialogButton } from "../../parts/dialog-button.tsx";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { Field } from "../../parts/form.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Empty } from "../../parts/page.tsx";
import { type Column, pageSize } from "../../parts/table.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { ProjectFrame } from "./project-frame.tsx";

const columns: readonly Column<ProjectRole>[] = [
  { key: "key", header: t("project.role.key"), cell: ({ key }) => <code>{key}</code> },
  { key: "name", header: t("project.role.name"), cell: ({ displayName }) => displayName },
  { key: "group", header: t("project.role.group"), cell: ({ group }) => group, isSecondary: true },
];

/** The roles that users can have in the applications of a project. */
export function ProjectRolesPage() {
  const { params, search, page, setSearch, setPage } = useAddress();
  const { projectId = "" } = params;
  const obstacle = useObstacle("project.role.write");
  const text = search["q"] ?? "";
  const filter = {
    case: "roleKeyFilter",
    value: { key: text, method: TextFilterMethod.CONTAINS_IGNORE_CASE },
  } as const;
  const found = useQuery(
    ProjectService.method.listProjectRoles,
    {
      projectId,
      pagination: { offset: BigInt(page * pageSize), limit: pageSize, asc: true },
      sortingColumn: ProjectRoleFieldName.KEY,
      filters: text === "" ? [] : [{ filter }],
    },
    { placeholderData: keepPreviousData },
  );
  const onDone = () => found.refetch();
  const add = (
    <DialogButton
      icon="plus"
      look="primary"
      disabledReason={obstacle}
      dialog={(close) => <RoleDialog projectId={projectId} onClose={close} onDone={onDone} />}
    >
      {t("project.role.add")}
    </DialogButton>
  );
  return (
    <ProjectFrame actions={add}>
      {() => (
        <>
          <FilterBar label={t("project.role.search")} text={text} onText={(q) => setSearch({ q })} />
          <ActionTable
            label={t("project.tab.roles")}
            rows={found.data?.projectRoles}
            rowKey={({ key }) => key}
            error={found.error}
            isLoading={found.isFetching}
            empty={<Empty>{t("project.role.none")}</Empty>}
            columns={columns}
            actionsLabel={({ key }) => t("project.role.actions", { key })}
            obstacle={obstacle}
            actions={(role) => [
              {
                label: t("project.role.edit"),
                dialog: (close) => <RoleDialog projectId={projectId} role={role} onClose={close} onDone={onDone} />,
              },
              {
                label: t("project.role.remove"),
                isDanger: true,
                dialog: (close) => <RemoveRole role={role} onClose={close} onDone={onDone} />,
              },
            ]}
            paging={{ page, pageSize, total: found.data?.pagination?.totalResult, onPage: setPage }}
          />
        </>
      )}
    </ProjectFrame>
  );
}

interface DialogProps {
  readonly onClose: () => void;
  readonly onDone: () => Promise<unknown>;
}

function RemoveRole({ role: { projectId, key }, onClose, onDone }: DialogProps & { readonly role: ProjectRole }) {
  const client = createClient(ProjectService, useTransport());
  return (
    <DangerDialog
      title={t("project.role.remove")}
      consequences={[t("project.role.remove.consequence", { key })]}
      action={t("project.role.remove")}
      onConfirm={async () => {
        await client.removeProjectRole({ projectId, roleKey: key });
        await onDone();
      }}
      onClose={onClose}
    />
  );
}

function RoleDialog(props: DialogProps & { readonly projectId: string; readonly role?: ProjectRole }) {
  const { projectId, role, onClose, onDone } = props;
  const client = createClient(ProjectService, useTransport());
  const form = useForm({
    defaultValues: { key: role?.key ?? "", displayName: role?.displayName ?? "", group: role?.group ?? "" },
  });
  return (
    <FormDialog
      title={role ? t("project.role.edit") : t("project.role.add")}
      form={form}
      action={role ? t("common.save") : t("project.role.add")}
      onClose={onClose}
      onSave={async ({ key, displayName, group }) => {
        const values = { projectId, roleKey: key.trim(), displayName: displayName.trim() || key.trim(), group };
        await (role ? client.updateProjectRole(values) : client.addProjectRole(values));
        await onDone();
      }}
    >
      <Field
        name="key"
        label={t("project.role.key")}
        hint={t("project.role.key.hint")}
        isRequired
        readOnly={role !== undefined}
      />
      <Field name="displayName" label={t("project.role.name")} />
      <Field name="group" label={t("project.role.group")} hint={t("project.role.group.hint")} />
    </FormDialog>
  );
}
