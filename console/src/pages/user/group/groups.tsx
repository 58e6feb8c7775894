import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { TextFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import { FieldName, type Group } from "@doorward/api/service/group/v2/group_pb";
import { GroupService } from "@doorward/api/service/group/v2/group_service_pb";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useAddress, useSorting } from "../../../address.ts";
import { useRefresh } from "../../../api/refresh.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { FilterBar } from "../../../parts/filter-bar.tsx";
import { Field, Form } from "../../../parts/form.tsx";
import { Empty, Page } from "../../../parts/page.tsx";
import type { Choice } from "../../../parts/picker.tsx";
import { type Column, pageSize, Table } from "../../../parts/table.tsx";
import { Time } from "../../../parts/time.tsx";
import { useObstacle, useOrganizationId } from "../../../shell/access.ts";
import { t } from "../../../text/catalogue.ts";
import { OrganizationField } from "../new-user.tsx";
import { OrganizationName, OrganizationNames } from "../organization-name.tsx";
import { UserTabs } from "../user-tabs.tsx";

/** The groups of users of the instance or an organization. */
export function GroupsPage() {
  const { search, page, setSearch, setPage } = useAddress();
  const { text = "" } = search;
  const sorting = useSorting("name");
  const organizationId = useOrganizationId();
  const obstacle = useObstacle("group.create");
  const [isCreating, setCreating] = useState(false);
  const method = TextFilterMethod.CONTAINS_IGNORE_CASE;
  const { data, error, isFetching } = useQuery(GroupService.method.listGroups, {
    pagination: { offset: BigInt(page * pageSize), limit: pageSize, asc: !sorting.isDescending },
    sortingColumn: sorting.by === "created" ? FieldName.CREATION_DATE : FieldName.NAME,
    filters: [
      ...(text === "" ? [] : [{ filter: { case: "nameFilter", value: { name: text, method } } } as const]),
      ...(organizationId === undefined
        ? []
        : [{ filter: { case: "organizationId", value: { id: organizationId } } } as const]),
    ],
  });
  const createButton = (
    <Button look="primary" icon="plus" disabledReason={obstacle} onClick={() => setCreating(true)}>
      {t("user.groups.create")}
    </Button>
  );
  return (
    <Page title={t("user.groups")} lead={t("user.groups.lead")} tabs={<UserTabs />} actions={createButton}>
      <FilterBar label={t("user.groups.find")} text={text} onText={(text) => setSearch({ text })} list="groups" />
      <OrganizationNames of={organizationId === undefined ? data?.groups.map((group) => group.organizationId) : []}>
        <Table
          label={t("user.groups")}
          columns={columns.filter(({ key }) => key !== "organization" || organizationId === undefined)}
          rows={data?.groups}
          rowKey={({ id }) => id}
          href={({ id }) => `/users/groups/${id}`}
          error={error}
          isLoading={isFetching}
          sorting={sorting}
          paging={{ page, pageSize, total: data?.pagination?.totalResult, onPage: setPage }}
          empty={
            text === "" ? (
              <Empty action={createButton}>{t("user.groups.none")}</Empty>
            ) : (
              <Empty action={<Button onClick={() => setSearch({ text: "" })}>{t("user.list.clear")}</Button>}>
                {t("user.groups.nothing")}
              </Empty>
            )
          }
        />
      </OrganizationNames>
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

interface Values {
  readonly name: string;
  readonly description: string;
  readonly organization: Choice | undefined;
}

function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const { go } = useAddress();
  const scope = useOrganizationId();
  const client = createClient(GroupService, useTransport());
  const refresh = useRefresh();
  const form = useForm<Values>({ defaultValues: { name: "", description: "", organization: undefined } });
  return (
    <Dialog title={t("user.groups.create")} onClose={onClose}>
      <Form
        form={form}
        action={t("user.groups.create")}
        done={t("user.groups.created")}
        onSave={async ({ name, description, organization }) => {
          const organizationId = scope ?? organization?.id ?? "";
          const { id } = await client.createGroup({ organizationId, name, description });
          await refresh(GroupService);
          onClose();
          go(`/users/groups/${id}`);
        }}
      >
        <Field name="name" label={t("user.name")} isRequired />
        <Field name="description" label={t("user.description")} />
        {scope === undefined && <OrganizationField />}
      </Form>
    </Dialog>
  );
}

const columns: readonly Column<Group>[] = [
  {
    key: "name",
    header: t("user.name"),
    isSortable: true,
    cell: ({ name, description }) => (
      <>
        {name}
        {description !== "" && <span className="subtitle">{description}</span>}
      </>
    ),
  },
  {
    key: "organization",
    header: t("user.organization"),
    cell: ({ organizationId }) => <OrganizationName id={organizationId} />,
  },
  {
    key: "created",
    header: t("user.created"),
    isSortable: true,
    isSecondary: true,
    cell: ({ creationDate }) => <Time at={creationDate} />,
  },
];
