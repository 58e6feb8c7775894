import { useQuery } from "@connectrpc/connect-query";
import { AuthFactorState } from "@doorward/api/service/user/v2/authentication_pb";
import type { Passkey } from "@doorward/api/service/user/v2/passkey_pb";
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

/** The passkeys of a person, and a link by which they can add one. */
export function Passkeys({ user }: { readonly user: User }) {
  const { userId } = user;
  const client = useUserClient();
  const refresh = useRefresh();
  const [removed, setRemoved] = useState<Passkey>();
  const [isInviting, setInviting] = useState(false);
  const writeObstacle = useObstacleHere("user.write");
  const inviteObstacle = useObstacleHere("user.passkey.write");
  const { data, error, isFetching } = useQuery(UserService.method.listPasskeys, { userId });
  const email = user.type.case === "human" ? (user.type.value.email?.email ?? "") : "";
  return (
    <Section
      title={t("user.passkeys")}
      actions={
        <Button disabledReason={inviteObstacle} onClick={() => setInviting(true)}>
          {t("user.passkeys.send")}
        </Button>
      }
    >
      <Table
        label={t("user.passkeys")}
        columns={[
          { key: "name", header: t("user.name"), cell: ({ name }) => name || t("user.passkeys.unnamed") },
          { key: "state", header: t("user.state"), cell: ({ state }) => <FactorState state={state} /> },
        ]}
        rows={data?.result}
        rowKey={({ id }) => id}
        error={error}
        isLoading={isFetching}
        empty={<p className="muted">{t("user.passkeys.none")}</p>}
        rowActions={(passkey) => (
          <Button look="quiet" disabledReason={writeObstacle} onClick={() => setRemoved(passkey)}>
            {t("user.remove")}
          </Button>
        )}
      />
      {isInviting && (
        <DangerDialog
          look="primary"
          title={t("user.passkeys.send")}
          consequences={[t("user.passkeys.sent", { email }), t("user.passkeys.kept")]}
          action={t("user.passkeys.sendAction")}
          onConfirm={async () => {
            await client.createPasskeyRegistrationLink({ userId, medium: { case: "sendLink", value: {} } });
            tell(t("user.passkeys.done"));
          }}
          onClose={() => setInviting(false)}
        />
      )}
      {removed && (
        <DangerDialog
          title={t("user.passkeys.removeTitle", { name: removed.name || t("user.passkeys.unnamed") })}
          consequences={[t("user.method.removeAccess"), t("user.passkeys.removeDevice")]}
          action={t("user.remove")}
          onConfirm={async () => {
            await client.removePasskey({ userId, passkeyId: removed.id });
            await refresh(UserService);
            tell(t("user.method.removed"));
          }}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Section>
  );
}

/** Whether the registration of a passkey or factor was completed. */
export const FactorState = ({ state }: { readonly state: AuthFactorState }) =>
  state === AuthFactorState.READY ? (
    <Badge look="good">{t("user.factor.ready")}</Badge>
  ) : (
    <Badge>{t("user.factor.notReady")}</Badge>
  );
