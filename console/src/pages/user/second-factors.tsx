import { useQuery } from "@connectrpc/connect-query";
import {
  AuthenticationMethodType,
  type AuthFactor,
  AuthFactorState,
} from "@doorward/api/service/user/v2/authentication_pb";
import type { User } from "@doorward/api/service/user/v2/user_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { useState } from "react";
import { useRefresh } from "../../api/refresh.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { Section } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { tell } from "../../parts/toast.tsx";
import { t } from "../../text/catalogue.ts";
import { useObstacleHere } from "./obstacle-here.ts";
import { FactorState } from "./passkeys.tsx";
import { useUserCalls, useUserClient } from "./user-calls.ts";

interface Factor {
  readonly key: string;
  readonly name: string;
  readonly state: AuthFactorState;
  readonly isBlocked: boolean;
  readonly remove: () => Promise<unknown>;
}

/** The second factors of a person, with recovery codes. */
export function SecondFactors({ user }: { readonly user: User }) {
  const refresh = useRefresh();
  const calls = useUserCalls(user);
  const [removed, setRemoved] = useState<Factor>();
  const obstacle = useObstacleHere("user.write");
  const { factors, error, isFetching } = useFactors(user.userId);
  return (
    <Section title={t("user.factors")}>
      <Table
        label={t("user.factors")}
        columns={[
          { key: "name", header: t("user.name"), cell: ({ name }) => name },
          {
            key: "state",
            header: t("user.state"),
            cell: ({ state, isBlocked }) =>
              isBlocked ? <Badge look="bad">{t("user.factor.blocked")}</Badge> : <FactorState state={state} />,
          },
        ]}
        rows={factors}
        rowKey={({ key }) => key}
        error={error}
        isLoading={isFetching}
        empty={<p className="muted">{t("user.factors.none")}</p>}
        rowActions={(factor) => (
          <>
            {factor.isBlocked && (
              <ActionButton look="quiet" run={calls.unlock} done={t("user.unlock.done")} disabledReason={obstacle}>
                {t("user.action.unlock")}
              </ActionButton>
            )}
            <Button look="quiet" disabledReason={obstacle} onClick={() => setRemoved(factor)}>
              {t("user.remove")}
            </Button>
          </>
        )}
      />
      {removed && (
        <DangerDialog
          title={t("user.factors.removeTitle", { name: removed.name })}
          consequences={[t("user.factors.removeAccess"), t("user.factors.removeForced")]}
          action={t("user.remove")}
          onConfirm={async () => {
            await removed.remove();
            await refresh(UserService);
            tell(t("user.method.removed"));
          }}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Section>
  );
}

function useFactors(userId: string) {
  const client = useUserClient();
  const listed = useQuery(UserService.method.listAuthenticationFactors, {
    userId,
    states: [AuthFactorState.READY, AuthFactorState.NOT_READY],
  });
  const methods = useQuery(UserService.method.listAuthenticationMethodTypes, { userId });
  const hasCodes = methods.data?.authMethodTypes.includes(AuthenticationMethodType.RECOVERY_CODE) === true;
  const codes: Factor = {
    key: "recovery",
    name: t("user.factor.recovery"),
    state: AuthFactorState.READY,
    isBlocked: false,
    remove: () => client.removeRecoveryCodes({ userId }),
  };
  const factors = listed.data?.result.map((factor): Factor => {
    const [key, name, remove] = describe(factor, client, userId);
    return { key, name, state: factor.state, isBlocked: factor.blocked, remove };
  });
  return {
    factors: factors && (hasCodes ? [...factors, codes] : factors),
    error: listed.error,
    isFetching: listed.isFetching,
  };
}

function describe(
  { type }: AuthFactor,
  client: ReturnType<typeof useUserClient>,
  userId: string,
): readonly [key: string, name: string, remove: () => Promise<unknown>] {
  switch (type.case) {
    case "otp":
      return ["totp", t("user.factor.totp"), () => client.removeTOTP({ userId })];
    case "otpSms":
      return ["sms", t("user.factor.sms"), () => client.removeOTPSMS({ userId })];
    case "otpEmail":
      return ["email", t("user.factor.email"), () => client.removeOTPEmail({ userId })];
    case "u2f": {
      const { id, name } = type.value;
      const label = t("user.factor.securityKey", { name: name || id });
      return [id, label, () => client.removeU2F({ userId, u2fId: id })];
    }
    default:
      return ["other", t("user.factor.other"), () => Promise.resolve()];
  }
}
