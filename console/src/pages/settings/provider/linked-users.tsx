import { useQuery } from "@connectrpc/connect-query";
import { UserFieldName } from "@doorward/api/service/user/v2/query_pb";
import type { User } from "@doorward/api/service/user/v2/user_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { useAddress } from "../../../address.ts";
import { nameOf } from "../../../api/user-name.ts";
import { Section } from "../../../parts/page.tsx";
import { type Column, mostCounted, Table } from "../../../parts/table.tsx";
import { t } from "../../../text/catalogue.ts";

const pageSize = 10;

const columns: readonly Column<User>[] = [
  { key: "name", header: t("user.name"), cell: nameOf },
  { key: "login", header: t("user.username"), cell: ({ preferredLoginName }) => preferredLoginName, isSecondary: true },
];

const linkedTo = (identityProviderId: string) =>
  [{ query: { case: "identityProviderIdQuery", value: { identityProviderId } } }] as const;

/** Returns how many users have an account at a provider, of those whom the administrator sees. */
export function useLinkedCount(providerId: string): bigint | undefined {
  const query = { limit: 1, countUpTo: mostCounted };
  const found = useQuery(UserService.method.listUsers, { query, queries: [...linkedTo(providerId)] });
  return found.data?.details?.totalResult;
}

/** The users who have an account at a provider. */
export function LinkedUsers({ providerId }: { readonly providerId: string }) {
  const { page, setPage } = useAddress();
  const found = useQuery(UserService.method.listUsers, {
    query: { offset: BigInt(page * pageSize), limit: pageSize, asc: true, countUpTo: mostCounted },
    sortingColumn: UserFieldName.DISPLAY_NAME,
    queries: [...linkedTo(providerId)],
  });
  return (
    <Section title={t("provider.users")} lead={t("provider.users.lead")}>
      <Table
        label={t("provider.users")}
        columns={columns}
        rows={found.data?.result}
        rowKey={({ userId }) => userId}
        href={({ userId }) => `/users/${userId}/sign-in`}
        error={found.error}
        isLoading={found.isFetching}
        empty={<p className="muted">{t("provider.users.none")}</p>}
        paging={{ page, pageSize, total: found.data?.details?.totalResult, onPage: setPage }}
      />
    </Section>
  );
}
