import { useQuery } from "@connectrpc/connect-query";
import { IdentityProviderService } from "@doorward/api/service/idp/v2/idp_service_pb";
import type { IDPLink } from "@doorward/api/service/user/v2/idp_link_pb";
import type { User } from "@doorward/api/service/user/v2/user_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { useState } from "react";
import { useRefresh } from "../../api/refresh.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { Section } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { tell } from "../../parts/toast.tsx";
import { t } from "../../text/catalogue.ts";
import { useObstacleHere } from "./obstacle-here.ts";
import { useUserClient } from "./user-calls.ts";

/** The accounts at identity providers with which a person can sign in. */
export function IdentityLinks({ user: { userId } }: { readonly user: User }) {
  const client = useUserClient();
  const refresh = useRefresh();
  const [removed, setRemoved] = useState<IDPLink>();
  const obstacle = useObstacleHere("user.write");
  const { data, error, isFetching } = useQuery(UserService.method.listIDPLinks, { userId, query: { limit: 100 } });
  return (
    <Section title={t("user.identities")}>
      <Table
        label={t("user.identities")}
        columns={[
          { key: "provider", header: t("user.identities.provider"), cell: ({ idpId }) => <ProviderName id={idpId} /> },
          {
            key: "account",
            header: t("user.identities.account"),
            cell: (link) => (
              <>
                {link.userName || link.userId}
                {link.userName !== "" && <span className="subtitle">{link.userId}</span>}
              </>
            ),
          },
          {
            key: "state",
            header: t("user.state"),
            cell: ({ suspended }) =>
              suspended ? (
                <Badge look="warning">{t("user.identities.suspended")}</Badge>
              ) : (
                <Badge look="good">{t("user.factor.ready")}</Badge>
              ),
          },
        ]}
        rows={data?.result}
        rowKey={(link) => `${link.idpId} ${link.userId}`}
        error={error}
        isLoading={isFetching}
        empty={<p className="muted">{t("user.identities.none")}</p>}
        rowActions={(link) => (
          <Button look="quiet" disabledReason={obstacle} onClick={() => setRemoved(link)}>
            {t("user.remove")}
          </Button>
        )}
      />
      {data?.result.some(({ suspended }) => suspended) && <p className="hint">{t("user.identities.suspendedHint")}</p>}
      {removed && (
        <DangerDialog
          title={t("user.identities.removeTitle", { name: removed.userName || removed.userId })}
          consequences={[t("user.method.removeAccess"), t("user.identities.removeKept")]}
          action={t("user.remove")}
          onConfirm={async () => {
            await client.removeIDPLink({ userId, idpId: removed.idpId, linkedUserId: removed.userId });
            await refresh(UserService);
            tell(t("user.method.removed"));
          }}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Section>
  );
}

function ProviderName({ id }: { readonly id: string }) {
  const { data } = useQuery(IdentityProviderService.method.getIDPByID, { id }, { staleTime: 300_000 });
  return data?.idp?.name || id;
}
