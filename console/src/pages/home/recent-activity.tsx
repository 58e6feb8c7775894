import { useQuery } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { Link } from "@tanstack/react-router";
import { Empty, Section } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../text/catalogue.ts";

// What every sign-in leaves would hide the rest. The event log has it.
const ofSignIns = /^(?:token_family|session)\./;

/** The last things that were changed in the instance. */
export function RecentActivity() {
  const found = useQuery(AdminService.method.listEvents, { limit: 100 });
  return (
    <Section title={t("home.activity")} actions={<Link to={"/activity" as "/"}>{t("home.activity.all")}</Link>}>
      <Table
        label={t("home.activity")}
        rows={found.data?.events.filter(({ type }) => !ofSignIns.test(type?.type ?? "")).slice(0, 8)}
        rowKey={({ aggregate, sequence }) => `${aggregate?.id} ${sequence}`}
        error={found.error}
        isLoading={found.isFetching}
        empty={<Empty>{t("home.activity.none")}</Empty>}
        columns={[
          {
            key: "what",
            header: t("home.activity.what"),
            cell: ({ type }) => type?.localized?.localizedMessage || type?.type,
          },
          { key: "who", header: t("home.activity.who"), cell: ({ editor }) => editor?.displayName || editor?.service },
          { key: "when", header: t("home.activity.when"), cell: ({ creationDate }) => <Time at={creationDate} /> },
        ]}
      />
    </Section>
  );
}
