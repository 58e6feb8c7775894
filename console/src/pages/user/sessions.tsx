import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { SessionFieldName } from "@doorward/api/service/session/v2/query_pb";
import type { Factors, Session } from "@doorward/api/service/session/v2/session_pb";
import { SessionService } from "@doorward/api/service/session/v2/session_service_pb";
import { useState } from "react";
import { useAddress } from "../../address.ts";
import { useRefresh } from "../../api/refresh.ts";
import { Button } from "../../parts/button.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { type Column, pageSize, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { tell } from "../../parts/toast.tsx";
import { t } from "../../text/catalogue.ts";
import { toDate } from "../../text/format.ts";
import { useObstacleHere } from "./obstacle-here.ts";
import { describeAgent } from "./user-agent.ts";
import { UserFrame } from "./user-frame.tsx";

/** Where a person is signed in. */
export const UserSessionsPage = () => <UserFrame>{({ userId }) => <Sessions userId={userId} />}</UserFrame>;

function Sessions({ userId }: { readonly userId: string }) {
  const { page, setPage } = useAddress();
  const client = createClient(SessionService, useTransport());
  const refresh = useRefresh();
  const obstacle = useObstacleHere("session.delete");
  const [ended, setEnded] = useState<Session | "all">();
  const queries = [{ query: { case: "userIdQuery", value: { id: userId } } } as const];
  const { data, error, isFetching } = useQuery(SessionService.method.listSessions, {
    query: { offset: BigInt(page * pageSize), limit: pageSize },
    queries,
    sortingColumn: SessionFieldName.CREATION_DATE,
  });
  const endAll = async () => {
    // In portions, until there are none; what was just ended is not listed again.
    for (;;) {
      const { sessions } = await client.listSessions({ query: { limit: 100 }, queries });
      const [first, ...others] = sessions;
      if (first === undefined) return;
      // By itself, because it alone is what would be shown as a call: none of the others may be under way then.
      await client.deleteSession({ sessionId: first.id });
      await Promise.all(others.map(({ id }) => client.deleteSession({ sessionId: id })));
    }
  };
  return (
    <Section
      title={t("user.tab.sessions")}
      lead={t("user.sessions.lead")}
      actions={
        (data?.sessions.length ?? 0) > 0 && (
          <Button disabledReason={obstacle} onClick={() => setEnded("all")}>
            {t("user.sessions.endAll")}
          </Button>
        )
      }
    >
      <Table
        label={t("user.tab.sessions")}
        columns={columns}
        rows={data?.sessions}
        rowKey={({ id }) => id}
        error={error}
        isLoading={isFetching}
        paging={{ page, pageSize, total: data?.details?.totalResult, onPage: setPage }}
        empty={<Empty>{t("user.sessions.none")}</Empty>}
        rowActions={(session) => (
          <Button look="quiet" disabledReason={obstacle} onClick={() => setEnded(session)}>
            {t("user.sessions.end")}
          </Button>
        )}
      />
      {ended !== undefined && (
        <DangerDialog
          title={ended === "all" ? t("user.sessions.endAllTitle") : t("user.sessions.endTitle")}
          consequences={[t("user.sessions.endAccess"), t("user.sessions.endTokens")]}
          action={ended === "all" ? t("user.sessions.endAll") : t("user.sessions.end")}
          onConfirm={async () => {
            await (ended === "all" ? endAll() : client.deleteSession({ sessionId: ended.id }));
            await refresh(SessionService);
            tell(t("user.sessions.done"));
          }}
          onClose={() => setEnded(undefined)}
        />
      )}
    </Section>
  );
}

const columns: readonly Column<Session>[] = [
  {
    key: "device",
    header: t("user.sessions.device"),
    cell: ({ userAgent }) => (
      <>
        {describeAgent(userAgent)}
        {userAgent?.ip && <span className="subtitle">{userAgent.ip}</span>}
      </>
    ),
  },
  {
    key: "factors",
    header: t("user.sessions.factors"),
    cell: ({ factors }) => checkedOf(factors).join(", "),
  },
  {
    key: "created",
    header: t("user.sessions.began"),
    cell: ({ creationDate }) => <Time at={creationDate} />,
  },
  {
    key: "expires",
    header: t("user.sessions.expires"),
    isSecondary: true,
    cell: ({ expirationDate }) =>
      toDate(expirationDate) === undefined ? t("user.never") : <Time at={expirationDate} />,
  },
];

function checkedOf(factors: Factors | undefined): string[] {
  const all = [
    [factors?.password, t("user.password")],
    [factors?.webAuthN, t("user.factor.passkey")],
    [factors?.intent, t("user.factor.provider")],
    [factors?.totp, t("user.factor.totp")],
    [factors?.otpSms, t("user.factor.sms")],
    [factors?.otpEmail, t("user.factor.email")],
    [factors?.recoveryCode, t("user.factor.recoveryCode")],
  ] as const;
  const checked = all.filter(([factor]) => factor?.verifiedAt !== undefined).map(([, name]) => name);
  return checked.length === 0 ? [t("user.sessions.unchecked")] : checked;
}
