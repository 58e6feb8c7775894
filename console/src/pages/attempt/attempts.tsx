import { useAddress } from "../../address.ts";
import { Empty, Page } from "../../parts/page.tsx";
import { pageSize, Table } from "../../parts/table.tsx";
import { useOrganizationId } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { ActivityTabs } from "../activity/activity-tabs.tsx";
import { addressOf, application, device, reason, result, when, who } from "./attempt-cells.tsx";
import { AttemptFilters } from "./attempt-filters.tsx";
import { useAttempts } from "./use-attempts.ts";

/** Who tried to sign in, and why it failed. */
export function AttemptsPage() {
  const { search, page, setPage } = useAddress();
  const organizationId = useOrganizationId();
  const { user: userId, client: clientId, reference, result: wanted, period } = search;
  const { data, error, isFetching } = useAttempts(
    { organizationId, userId, clientId, reference, result: wanted, period },
    { page, limit: pageSize },
  );
  const isFiltered = Boolean(userId ?? clientId ?? reference ?? wanted ?? period);
  return (
    <Page title={t("attempt.title")} lead={t("attempt.lead")} tabs={<ActivityTabs />}>
      <AttemptFilters />
      <Table
        label={t("attempt.title")}
        columns={[who, result, reason, application, when, device]}
        rows={data?.attempts}
        rowKey={({ id }) => id}
        href={addressOf}
        error={error}
        isLoading={isFetching}
        paging={{ page, pageSize, total: data?.pagination?.totalResult, onPage: setPage }}
        empty={<Empty>{t(isFiltered ? "attempt.noneFound" : "attempt.none")}</Empty>}
      />
    </Page>
  );
}
