import { Link } from "@tanstack/react-router";
import { linkTo } from "../../address.ts";
import { Empty, Section } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { useOrganizationId } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { addressOf, application, reason, when, who } from "./attempt-cells.tsx";
import { useAttempts } from "./use-attempts.ts";

/** The last attempts to sign in that failed, or had failed before they succeeded, with the reason. */
export function RecentFailures() {
  const organizationId = useOrganizationId();
  const { data, error, isFetching } = useAttempts({ organizationId, result: "withFailures" }, { page: 0, limit: 5 });
  return (
    <Section
      title={t("attempt.failures")}
      actions={<Link {...linkTo("/activity/sign-ins?result=withFailures")}>{t("attempt.failures.all")}</Link>}
    >
      <Table
        label={t("attempt.failures")}
        columns={[who, reason, application, when]}
        rows={data?.attempts}
        rowKey={({ id }) => id}
        href={addressOf}
        error={error}
        isLoading={isFetching}
        empty={<Empty>{t("attempt.failures.none")}</Empty>}
      />
    </Section>
  );
}
