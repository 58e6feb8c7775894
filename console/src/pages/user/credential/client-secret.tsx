import type { User } from "@doorward/api/service/user/v2/user_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { useState } from "react";
import { useRefresh } from "../../../api/refresh.ts";
import { ActionButton } from "../../../parts/action-button.tsx";
import { Badge } from "../../../parts/badge.tsx";
import { Button } from "../../../parts/button.tsx";
import { Copyable } from "../../../parts/copyable.tsx";
import { DangerDialog } from "../../../parts/danger-dialog.tsx";
import { Facts, Section } from "../../../parts/page.tsx";
import { SecretDialog } from "../../../parts/secret-dialog.tsx";
import { tell } from "../../../parts/toast.tsx";
import { t } from "../../../text/catalogue.ts";
import { useObstacleHere } from "../obstacle-here.ts";
import { useUserClient } from "../user-calls.ts";

/** The client secret of a service account, of which there is at most one. */
export function ClientSecret({ user, hasSecret }: { readonly user: User; readonly hasSecret: boolean }) {
  const { userId, username } = user;
  const client = useUserClient();
  const refresh = useRefresh();
  const obstacle = useObstacleHere("user.write");
  const [asked, setAsked] = useState<"replace" | "remove">();
  const [made, setMade] = useState<string>();
  const make = async () => {
    const { clientSecret } = await client.addSecret({ userId });
    setMade(clientSecret);
    await refresh(UserService);
  };
  const button = (what: "replace" | "remove", label: string) => (
    <Button disabledReason={obstacle} onClick={() => setAsked(what)}>
      {label}
    </Button>
  );
  return (
    <Section
      title={t("user.secret")}
      lead={t("user.secret.lead")}
      actions={
        hasSecret ? (
          <>
            {button("remove", t("user.remove"))}
            {button("replace", t("user.secret.replace"))}
          </>
        ) : (
          <ActionButton run={make} done={t("user.secret.made")} disabledReason={obstacle}>
            {t("user.secret.make")}
          </ActionButton>
        )
      }
    >
      <Facts
        facts={[
          [
            t("user.state"),
            hasSecret ? (
              <Badge key="state" look="good">
                {t("user.secret.set")}
              </Badge>
            ) : (
              t("user.secret.none")
            ),
          ],
          [t("user.secret.clientId"), <Copyable key="id" value={username} label={t("user.secret.clientId")} />],
        ]}
      />
      {asked !== undefined && (
        <DangerDialog
          title={asked === "replace" ? t("user.secret.replaceTitle") : t("user.secret.removeTitle")}
          consequences={[t("user.secret.lost")]}
          action={asked === "replace" ? t("user.secret.replace") : t("user.remove")}
          onConfirm={async () => {
            if (asked === "replace") return make();
            await client.removeSecret({ userId });
            await refresh(UserService);
            tell(t("user.secret.removed"));
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
      {made !== undefined && (
        <SecretDialog
          title={t("user.secret.made")}
          values={[
            [t("user.secret.clientId"), username],
            [t("user.secret"), made],
          ]}
          onClose={() => setMade(undefined)}
        />
      )}
    </Section>
  );
}
