import { useQuery } from "@connectrpc/connect-query";
import { GroupService } from "@doorward/api/service/group/v2/group_service_pb";
import { Link } from "@tanstack/react-router";
import { ErrorNotice } from "../../parts/notice.tsx";
import { Section } from "../../parts/page.tsx";
import { t } from "../../text/catalogue.ts";

/** The groups that a user is in, whose roles they have as well. */
export function GroupsOfUser({ userId }: { readonly userId: string }) {
  const listed = useQuery(GroupService.method.listGroupUsers, {
    pagination: { limit: 100 },
    filters: [{ filter: { case: "userIds", value: { ids: [userId] } } }],
  });
  const ids = listed.data?.groupUsers.map(({ groupId }) => groupId) ?? [];
  const groups = useQuery(
    GroupService.method.listGroups,
    { pagination: { limit: 100 }, filters: [{ filter: { case: "groupIds", value: { ids } } }] },
    { enabled: ids.length > 0 },
  );
  return (
    <Section title={t("user.groups")} lead={t("user.groups.ofUser")}>
      {listed.isError && <ErrorNotice error={listed.error} />}
      {listed.data?.groupUsers.length === 0 && <p className="muted">{t("user.groups.inNone")}</p>}
      {ids.length > 0 && (
        <ul className="plain-list">
          {groups.data?.groups.map(({ id, name, description }) => (
            <li key={id}>
              <Link to={`/users/groups/${id}` as "/"}>{name}</Link> <span className="muted">{description}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
