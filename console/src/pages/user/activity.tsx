import type { Change } from "@doorward/api/service/change/v1/change_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { User } from "@doorward/api/service/user/v2/user_pb";
import { Link } from "@tanstack/react-router";
import { useAddress } from "../../address.ts";
import { useQueryOf } from "../../api/organization.ts";
import { Button } from "../../parts/button.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { type Column, pageSize, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { usePermissions } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { UserFrame } from "./user-frame.tsx";

/** What happened to a user, newest first. */
export const UserActivityPage = () => <UserFrame>{(user) => <Changes user={user} />}</UserFrame>;

function Changes({ user: { userId, details } }: { readonly user: User }) {
  const { search, setSearch, go } = useAddress();
  const isEventReader = usePermissions()?.has("events.read") === true;
  const { before = "" } = search;
  const { data, error, isFetching } = useQueryOf(details?.resourceOwner, ManagementService.method.listUserChanges, {
    userId,
    query: { limit: pageSize, ...(before !== "" && { sequence: BigInt(Number(before) || 0) }) },
  });
  const last = data?.result.at(-1);
  const hasOlder = data?.result.length === pageSize && last !== undefined;
  return (
    <Section
      title={t("user.tab.activity")}
      lead={t("user.activity.lead")}
      actions={
        isEventReader && <Button onClick={() => go(`/activity?id=${userId}`)}>{t("user.activity.events")}</Button>
      }
    >
      <Table
        label={t("user.tab.activity")}
        columns={columns}
        rows={data?.result}
        rowKey={({ sequence }) => String(sequence)}
        {...(isEventReader && {
          href: ({ sequence }: Change) => `/activity/event?kind=user&id=${userId}&sequence=${sequence}`,
        })}
        error={error}
        isLoading={isFetching}
        empty={<Empty>{t("user.activity.none")}</Empty>}
      />
      {(before !== "" || hasOlder) && (
        <div className="form-actions">
          {before !== "" && <Button onClick={() => setSearch({ before: "" })}>{t("user.activity.newest")}</Button>}
          {hasOlder && (
            <Button onClick={() => setSearch({ before: String(last.sequence) })}>{t("user.activity.older")}</Button>
          )}
        </div>
      )}
    </Section>
  );
}

const columns: readonly Column<Change>[] = [
  {
    key: "what",
    header: t("user.activity.what"),
    cell: ({ eventType }) => eventType?.localizedMessage || eventType?.key,
  },
  {
    key: "who",
    header: t("user.activity.who"),
    cell: ({ editorId, editorDisplayName, editorPreferredLoginName }) => {
      const name = editorDisplayName || editorPreferredLoginName;
      return name ? <Link to={`/users/${editorId}` as "/"}>{name}</Link> : <span className="muted">{editorId}</span>;
    },
  },
  { key: "when", header: t("user.activity.when"), cell: ({ changeDate }) => <Time at={changeDate} /> },
];
