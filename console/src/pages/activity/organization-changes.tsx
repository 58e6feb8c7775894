import { useTransport } from "@connectrpc/connect-query";
import type { Change } from "@doorward/api/service/change/v1/change_pb";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { linkTo } from "../../address.ts";
import { loadManagement } from "../../api/first-version.ts";
import { inOrganization } from "../../api/organization.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/page.tsx";
import { type Column, pageSize, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../text/catalogue.ts";

const columns: readonly Column<Change>[] = [
  { key: "what", header: t("activity.what"), cell: ({ eventType }) => eventType?.localizedMessage || eventType?.key },
  {
    key: "who",
    header: t("activity.who"),
    cell: ({ editorId, editorDisplayName }) =>
      editorId === "" ? (
        <span className="muted">{t("activity.server")}</span>
      ) : (
        <Link {...linkTo(`/users/${editorId}`)}>{editorDisplayName || editorId}</Link>
      ),
  },
  { key: "when", header: t("activity.when"), cell: ({ changeDate }) => <Time at={changeDate} /> },
];

/** What was changed about an organization, for its administrators. Without an id it is their own. */
export function OrganizationChanges({ organizationId }: { readonly organizationId?: string | undefined }) {
  const transport = useTransport();
  const options = organizationId === undefined ? {} : inOrganization(organizationId);
  const list = useInfiniteQuery({
    queryKey: ["organization changes", organizationId],
    queryFn: async ({ pageParam }) => {
      const client = await loadManagement(transport);
      return (await client.listOrgChanges({ query: { limit: pageSize, sequence: pageParam } }, options)).result;
    },
    initialPageParam: 0n,
    getNextPageParam: (changes) => (changes.length < pageSize ? undefined : changes.at(-1)?.sequence),
  });
  return (
    <>
      <Table
        label={t("nav.activity")}
        columns={columns}
        rows={list.data?.pages.flat()}
        rowKey={({ sequence }) => String(sequence)}
        error={list.error}
        isLoading={list.isFetching}
        empty={<Empty>{t("activity.none")}</Empty>}
      />
      {list.hasNextPage && (
        <p className="more">
          <Button isBusy={list.isFetching} onClick={() => void list.fetchNextPage()}>
            {t("activity.older")}
          </Button>
        </p>
      )}
    </>
  );
}
