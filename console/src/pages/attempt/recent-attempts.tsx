import { Link } from "@tanstack/react-router";
import { linkTo } from "../../address.ts";
import { Empty, Section } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { t } from "../../text/catalogue.ts";
import { addressOf, application, device, reason, result, when } from "./attempt-cells.tsx";
import { useAttempts } from "./use-attempts.ts";

/** The last attempts of a user to sign in. */
export function RecentAttempts({ userId }: { readonly userId: string }) {
  const { data, error, isFetching } = useAttempts({ userId }, { page: 0, limit: 5 });
  return (
    <Section
      title={t("attempt.recent")}
      actions={<Link {...linkTo(`/activity/sign-ins?user=${userId}`)}>{t("attempt.all")}</Link>}
    >
      <Table
        label={t("attempt.recent")}
        columns={[result, reason, application, when, device]}
        rows={data?.attempts}
        rowKey={({ id }) => id}
        href={addressOf}
        error={error}
        isLoading={isFetching}
        empty={<Empty>{t("attempt.noneOfUser")}</Empty>}
      />
    </Section>
  );
}
