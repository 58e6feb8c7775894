import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { TextFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import {
  type Resource,
  ResourceFieldName,
  ResourceState,
  ResourceTokenFormat,
} from "@doorward/api/service/resource/v2/resource_pb";
import { ResourceService } from "@doorward/api/service/resource/v2/resource_service_pb";
import { keepPreviousData } from "@tanstack/react-query";
import { useAddress } from "../../address.ts";
import { ActionTable } from "../../parts/action-table.tsx";
import { Badge } from "../../parts/badge.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { DialogButton } from "../../parts/dialog-button.tsx";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { Empty } from "../../parts/page.tsx";
import { type Column, pageSize } from "../../parts/table.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { ProjectFrame } from "./project-frame.tsx";
import { ResourceDialog } from "./resource-dialog.tsx";

const columns: readonly Column<Resource>[] = [
  { key: "name", header: t("project.name"), cell: ({ name }) => name },
  { key: "uri", header: t("project.resource.uri"), cell: ({ uri }) => <code>{uri}</code> },
  {
    key: "scopes",
    header: t("project.resource.scopes"),
    cell: ({ scopes }) => scopes.map(({ name }) => name).join(", "),
    isSecondary: true,
  },
  {
    key: "format",
    header: t("project.resource.format"),
    cell: ({ tokenFormat }) =>
      tokenFormat === ResourceTokenFormat.JWT ? t("project.resource.jwt.short") : t("project.resource.opaque.short"),
    isSecondary: true,
  },
  {
    key: "state",
    header: t("project.state"),
    cell: ({ state }) =>
      state === ResourceState.ACTIVE ? (
        <Badge look="good">{t("project.active")}</Badge>
      ) : (
        <Badge look="bad">{t("project.inactive")}</Badge>
      ),
  },
];

/** The APIs of a project that take access tokens. */
export function ProjectResourcesPage() {
  const { params, search, page, setSearch, setPage } = useAddress();
  const { projectId = "" } = params;
  const client = createClient(ResourceService, useTransport());
  const obstacle = useObstacle("project.write");
  const text = search["q"] ?? "";
  const byName = { name: text, method: TextFilterMethod.CONTAINS_IGNORE_CASE };
  const found = useQuery(
    ResourceService.method.listResources,
    {
      pagination: { offset: BigInt(page * pageSize), limit: pageSize, asc: true },
      sortingColumn: ResourceFieldName.NAME,
      filters: [
        { filter: { case: "projectId", value: { id: projectId } } },
        ...(text === "" ? [] : [{ filter: { case: "nameFilter", value: byName } } as const]),
      ],
    },
    { placeholderData: keepPreviousData },
  );
  const onDone = () => found.refetch();
  const end = (resource: Resource, isForGood: boolean) => (close: () => void) => (
    <EndResource resource={resource} isForGood={isForGood} onClose={close} onDone={onDone} />
  );
  const add = (
    <DialogButton
      icon="plus"
      look="primary"
      disabledReason={obstacle}
      dialog={(close) => <ResourceDialog projectId={projectId} onClose={close} onDone={onDone} />}
    >
      {t("project.resource.add")}
    </DialogButton>
  );
  return (
    <ProjectFrame actions={add}>
      {() => (
        <>
          <FilterBar label={t("project.resource.search")} text={text} onText={(q) => setSearch({ q })} />
          <ActionTable
            label={t("project.tab.resources")}
            rows={found.data?.resources}
            rowKey={({ id }) => id}
            error={found.error}
            isLoading={found.isFetching}
            empty={<Empty>{text === "" ? t("project.resource.none") : t("project.resource.noneFound")}</Empty>}
            columns={columns}
            actionsLabel={({ name }) => t("project.resource.actions", { name })}
            obstacle={obstacle}
            actions={(resource) => [
              {
                label: t("project.resource.change"),
                dialog: (close) => (
                  <ResourceDialog projectId={projectId} resource={resource} onClose={close} onDone={onDone} />
                ),
              },
              resource.state === ResourceState.ACTIVE
                ? { label: t("project.resource.deactivate"), dialog: end(resource, false) }
                : {
                    label: t("project.resource.activate"),
                    run: async () => {
                      await client.updateResource({ id: resource.id, state: ResourceState.ACTIVE });
                      await onDone();
                    },
                  },
              { label: t("project.resource.delete"), isDanger: true, dialog: end(resource, true) },
            ]}
            paging={{ page, pageSize, total: found.data?.pagination?.totalResult, onPage: setPage }}
          />
        </>
      )}
    </ProjectFrame>
  );
}

interface EndResourceProps {
  readonly resource: Resource;
  readonly isForGood: boolean;
  readonly onClose: () => void;
  readonly onDone: () => Promise<unknown>;
}

function EndResource({ resource: { id, name }, isForGood, onClose, onDone }: EndResourceProps) {
  const client = createClient(ResourceService, useTransport());
  const title = isForGood ? t("project.resource.delete") : t("project.resource.deactivate");
  return (
    <DangerDialog
      title={title}
      consequences={
        isForGood
          ? [t("project.resource.delete.tokens"), t("project.resource.delete.uri")]
          : [t("project.resource.deactivate.consequence")]
      }
      action={title}
      {...(isForGood && { nameToType: name })}
      onConfirm={async () => {
        await (isForGood
          ? client.deleteResource({ id })
          : client.updateResource({ id, state: ResourceState.INACTIVE }));
        await onDone();
      }}
      onClose={onClose}
    />
  );
}
