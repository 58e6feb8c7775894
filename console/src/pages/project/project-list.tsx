import { useQuery } from "@connectrpc/connect-query";
import { TextFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import { type Project, ProjectFieldName } from "@doorward/api/service/project/v2/project_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { useAddress } from "../../address.ts";
import { Button } from "../../parts/button.tsx";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { Empty, Page } from "../../parts/page.tsx";
import { type Column, pageSize, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { useOrganizationId } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { CreateProject } from "./create-project.tsx";
import { ProjectBadges } from "./project-badges.tsx";

const columns: readonly Column<Project>[] = [
  { key: "name", header: t("project.name"), cell: ({ name }) => name },
  { key: "state", header: t("project.state"), cell: (project) => <ProjectBadges project={project} /> },
  { key: "id", header: t("project.id"), cell: ({ projectId }) => <code>{projectId}</code>, isSecondary: true },
  {
    key: "changed",
    header: t("project.changed"),
    cell: ({ changeDate }) => <Time at={changeDate} />,
    isSecondary: true,
  },
];

/** The projects that the organization owns or has been granted, or all of the instance. */
export function ProjectListPage() {
  const { search, page, setSearch, setPage } = useAddress();
  const organizationId = useOrganizationId();
  const [isCreating, setCreating] = useState(false);
  const text = search["q"] ?? "";
  const name = { projectName: text, method: TextFilterMethod.CONTAINS_IGNORE_CASE };
  const found = useQuery(
    ProjectService.method.listProjects,
    {
      pagination: { offset: BigInt(page * pageSize), limit: pageSize, asc: true },
      sortingColumn: ProjectFieldName.NAME,
      filters: [
        ...(text === "" ? [] : [{ filter: { case: "projectNameFilter", value: name } } as const]),
        ...(organizationId === undefined
          ? []
          : [{ filter: { case: "organizationIdFilter", value: { organizationId } } } as const]),
      ],
    },
    { placeholderData: keepPreviousData },
  );
  const create = (
    <Button icon="plus" look="primary" onClick={() => setCreating(true)}>
      {t("project.create")}
    </Button>
  );
  return (
    <Page title={t("nav.projects")} lead={t("project.lead")} actions={create}>
      <FilterBar label={t("project.search")} text={text} onText={(q) => setSearch({ q })} list="projects" />
      <Table
        label={t("nav.projects")}
        columns={columns}
        rows={found.data?.projects}
        rowKey={({ projectId, grantedOrganizationId }) => `${projectId} ${grantedOrganizationId ?? ""}`}
        href={({ projectId }) => `/projects/${projectId}`}
        error={found.error}
        isLoading={found.isFetching}
        empty={<Empty action={create}>{text === "" ? t("project.none") : t("project.noneFound")}</Empty>}
        paging={{ page, pageSize, total: found.data?.pagination?.totalResult, onPage: setPage }}
      />
      {isCreating && <CreateProject onClose={() => setCreating(false)} />}
    </Page>
  );
}
