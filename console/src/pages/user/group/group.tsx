import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import type { Group } from "@doorward/api/service/group/v2/group_pb";
import { GroupService } from "@doorward/api/service/group/v2/group_service_pb";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useAddress } from "../../../address.ts";
import { useRefresh } from "../../../api/refresh.ts";
import { Copyable } from "../../../parts/copyable.tsx";
import { DangerDialog } from "../../../parts/danger-dialog.tsx";
import { Field, Form } from "../../../parts/form.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { Menu } from "../../../parts/menu.tsx";
import { ErrorNotice } from "../../../parts/notice.tsx";
import { Facts, Page, Section } from "../../../parts/page.tsx";
import { Time } from "../../../parts/time.tsx";
import { tell } from "../../../parts/toast.tsx";
import { t } from "../../../text/catalogue.ts";
import { Assignments } from "../assignments.tsx";
import { OrganizationHere, useObstacleHere } from "../obstacle-here.ts";
import { OrganizationName } from "../organization-name.tsx";
import { GroupMembers } from "./group-members.tsx";

/** One group: its members, and the roles that they have by it. */
export function GroupPage() {
  const { groupId = "" } = useAddress().params;
  const { data, error } = useQuery(GroupService.method.getGroup, { id: groupId });
  const group = data?.group;
  const parent = { to: "/users/groups", label: t("user.groups") };
  return (
    <OrganizationHere value={group?.organizationId}>
      <Page
        title={group?.name ?? t("user.group")}
        parent={parent}
        lead={group?.description}
        actions={group && <GroupActions group={group} />}
      >
        {error && <ErrorNotice error={error} />}
        {!error && group === undefined && <span className="skeleton" />}
        {group && (
          <>
            <Section title={t("user.facts")}>
              <Facts
                facts={[
                  [t("user.organization"), <OrganizationName key="organization" id={group.organizationId} />],
                  [t("user.group.id"), <Copyable key="id" value={group.id} label={t("user.group.id")} />],
                  [t("user.created"), <Time key="created" at={group.creationDate} />],
                  [t("user.changed"), <Time key="changed" at={group.changeDate} />],
                ]}
              />
            </Section>
            <GroupMembers group={group} />
            <Assignments groupId={group.id} organizationId={group.organizationId} />
            <GroupForm key={group.id} group={group} />
          </>
        )}
      </Page>
    </OrganizationHere>
  );
}

function GroupForm({ group }: { readonly group: Group }) {
  const client = createClient(GroupService, useTransport());
  const refresh = useRefresh();
  const obstacle = useObstacleHere("group.write");
  const form = useForm({ values: { name: group.name, description: group.description } });
  return (
    <Section title={t("user.tab.settings")}>
      <Form
        form={form}
        done={t("user.saved")}
        readOnlyReason={obstacle}
        onSave={async ({ name, description }) => {
          await client.updateGroup({
            id: group.id,
            ...(name !== group.name && { name }),
            ...(description !== group.description && { description }),
          });
          await refresh(GroupService);
        }}
      >
        <Field name="name" label={t("user.name")} isRequired />
        <Field name="description" label={t("user.description")} isRequired={group.description !== ""} />
      </Form>
    </Section>
  );
}

function GroupActions({ group }: { readonly group: Group }) {
  const { go } = useAddress();
  const client = createClient(GroupService, useTransport());
  const refresh = useRefresh();
  const obstacle = useObstacleHere("group.delete");
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <Menu
        label={t("user.group.actions")}
        look="secondary"
        items={[
          {
            label: t("user.group.delete"),
            isDanger: true,
            disabledReason: obstacle,
            onSelect: () => setDeleting(true),
          },
        ]}
      >
        <span aria-hidden="true">{t("table.actions")}</span>
        <Icon name="down" />
      </Menu>
      {isDeleting && (
        <DangerDialog
          title={t("user.group.deleteTitle", { name: group.name })}
          consequences={[t("user.group.deleteRoles"), t("user.group.deleteKept")]}
          action={t("user.group.delete")}
          nameToType={group.name}
          onConfirm={async () => {
            await client.deleteGroup({ id: group.id });
            await refresh(GroupService, { isGone: true });
            tell(t("user.group.deleted"));
            go("/users/groups");
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}
