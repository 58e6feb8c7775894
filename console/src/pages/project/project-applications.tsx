import { useQuery } from "@connectrpc/connect-query";
import { type Application, ApplicationSorting } from "@doorward/api/service/application/v2/application_pb";
import { ApplicationService } from "@doorward/api/service/application/v2/application_service_pb";
import { TextFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { linkTo, useAddress } from "../../address.ts";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Empty } from "../../parts/page.tsx";
import { pageSize, Table } from "../../parts/table.tsx";
import { t } from "../../text/catalogue.ts";
import { applicationColumns } from "../application/application-columns.tsx";
import { ProjectFrame } from "./project-frame.tsx";

/** The applications of a project, whose users have its roles. */
export function ProjectApplicationsPage() {
  const { params, search, page, setSearch, setPage } = useAddress();
  const { projectId = "" } = params;
  const text = search["q"] ?? "";
  const byName = { name: text, method: TextFilterMethod.CONTAINS_IGNORE_CASE };
  const found = useQuery(
    ApplicationService.method.listApplications,
    {
      pagination: { offset: BigInt(page * pageSize), limit: pageSize, asc: true },
      sortingColumn: ApplicationSorting.APPLICATION_SORT_BY_NAME,
      filters: [
        { filter: { case: "projectIdFilter", value: { projectId } } },
        ...(text === "" ? [] : [{ filter: { case: "nameFilter", value: byName } } as const]),
      ],
    },
    { placeholderData: keepPreviousData },
  );
  const create = (
    <Link {...linkTo(`/applications/new?project=${projectId}`)} className="button primary">
      <Icon name="plus" />
      {t("application.create")}
    </Link>
  );
  return (
    <ProjectFrame actions={create}>
      {() => (
        <>
          <FilterBar label={t("application.search")} text={text} onText={(q) => setSearch({ q })} />
          <Table<Application>
            label={t("nav.applications")}
            columns={applicationColumns}
            rows={found.data?.applications}
            rowKey={({ applicationId }) => applicationId}
            href={({ applicationId }) => `/applications/${applicationId}`}
            error={found.error}
            isLoading={found.isFetching}
            empty={<Empty>{text === "" ? t("project.noApplications") : t("application.noneFound")}</Empty>}
            paging={{ page, pageSize, total: found.data?.pagination?.totalResult, onPage: setPage }}
          />
        </>
      )}
    </ProjectFrame>
  );
}
