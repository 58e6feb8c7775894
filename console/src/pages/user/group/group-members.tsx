import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import type { Group } from "@doorward/api/service/group/v2/group_pb";
import { GroupService } from "@doorward/api/service/group/v2/group_service_pb";
import { type GroupUser, GroupUserFieldName } from "@doorward/api/service/group/v2/group_user_pb";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useAddress } from "../../../address.ts";
import { useRefresh } from "../../../api/refresh.ts";
import { Button } from "../../../parts/button.tsx";
import { DangerDialog } from "../../../parts/danger-dialog.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { useFinders } from "../../../parts/finders.ts";
import { Form } from "../../../parts/form.tsx";
import { Section } from "../../../parts/page.tsx";
import type { Choice } from "../../../parts/picker.tsx";
import { PickerField } from "../../../parts/picker-field.tsx";
import { mostCounted, pageSize, Table } from "../../../parts/table.tsx";
import { Time } from "../../../parts/time.tsx";
import { tell } from "../../../parts/toast.tsx";
import { t } from "../../../text/catalogue.ts";
import { useObstacleHere } from "../obstacle-here.ts";

/** The users in a group. */
export function GroupMembers({ group }: { readonly group: Group }) {
  const { page, setPage } = useAddress();
  const client = createClient(GroupService, useTransport());
  const refresh = useRefresh();
  const addObstacle = useObstacleHere("group.user.write");
  const removeObstacle = useObstacleHere("group.user.delete");
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<GroupUser>();
  const { data, error, isFetching } = useQuery(GroupService.method.listGroupUsers, {
    pagination: { offset: BigInt(page * pageSize), limit: pageSize, countUpTo: mostCounted },
    sortingColumn: GroupUserFieldName.CREATION_DATE,
    filters: [{ filter: { case: "groupIds", value: { ids: [group.id] } } }],
  });
  return (
    <Section
      title={t("user.group.members")}
      actions={
        <Button disabledReason={addObstacle} onClick={() => setAdding(true)}>
          {t("user.group.add")}
        </Button>
      }
    >
      <Table
        label={t("user.group.members")}
        columns={[
          {
            key: "name",
            header: t("user.name"),
            cell: ({ user }) => (
              <>
                {user?.displayName || user?.preferredLoginName}
                <span className="subtitle">{user?.preferredLoginName}</span>
              </>
            ),
          },
          { key: "since", header: t("user.group.since"), cell: ({ creationDate }) => <Time at={creationDate} /> },
        ]}
        rows={data?.groupUsers}
        rowKey={({ user }) => user?.id ?? ""}
        href={({ user }) => `/users/${user?.id}`}
        error={error}
        isLoading={isFetching}
        paging={{ page, pageSize, total: data?.pagination?.totalResult, onPage: setPage }}
        empty={<p className="muted">{t("user.group.empty")}</p>}
        rowActions={(member) => (
          <Button look="quiet" disabledReason={removeObstacle} onClick={() => setRemoved(member)}>
            {t("user.remove")}
          </Button>
        )}
      />
      {isAdding && <AddDialog group={group} onClose={() => setAdding(false)} />}
      {removed && (
        <DangerDialog
          title={t("user.group.removeTitle", { name: removed.user?.displayName ?? "", group: group.name })}
          consequences={[t("user.group.removeRoles")]}
          action={t("user.remove")}
          onConfirm={async () => {
            await client.removeUsersFromGroup({ id: group.id, userIds: [removed.user?.id ?? ""] });
            await refresh(GroupService);
            tell(t("user.group.removed"));
          }}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Section>
  );
}

function AddDialog({ group, onClose }: { readonly group: Group; readonly onClose: () => void }) {
  const client = createClient(GroupService, useTransport());
  const refresh = useRefresh();
  const find = useFinders().findUsersIn(group.organizationId);
  const form = useForm<{ user: Choice | undefined }>({ defaultValues: { user: undefined } });
  return (
    <Dialog title={t("user.group.addTitle", { name: group.name })} onClose={onClose}>
      <Form
        form={form}
        action={t("user.group.add")}
        done={t("user.group.added")}
        onSave={async ({ user }) => {
          await client.addUsersToGroup({ id: group.id, userIds: [user?.id ?? ""] });
          await refresh(GroupService);
          onClose();
        }}
      >
        <PickerField
          name="user"
          label={t("user.title")}
          hint={t("user.group.addHint")}
          queryKey={`user ${group.organizationId}`}
          find={find}
          isRequired
        />
      </Form>
    </Dialog>
  );
}
