import { type Client, createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { type EmailProvider, EmailProviderState } from "@doorward/api/service/settings/v1/email_pb";
import { useState } from "react";
import { ActionTable, type RowAction } from "../../../parts/action-table.tsx";
import { Badge } from "../../../parts/badge.tsx";
import { Button } from "../../../parts/button.tsx";
import { DangerDialog } from "../../../parts/danger-dialog.tsx";
import { DialogButton } from "../../../parts/dialog-button.tsx";
import { Empty, Page } from "../../../parts/page.tsx";
import type { Column } from "../../../parts/table.tsx";
import { useObstacle } from "../../../shell/access.ts";
import { t } from "../../../text/catalogue.ts";
import { AfterProviders } from "./after-providers.tsx";
import { type MadeMailServer, MailServerDialog, TestMailServer } from "./mail-server-dialogs.tsx";

const nameOf = ({ config, description }: EmailProvider): string =>
  description || (config.case === "smtp" ? config.value.host : (config.value?.endpoint ?? ""));

const isActive = ({ state }: EmailProvider): boolean => state === EmailProviderState.EMAIL_PROVIDER_ACTIVE;

const columns: readonly Column<EmailProvider>[] = [
  { key: "name", header: t("settings.mail.server"), cell: nameOf },
  {
    key: "sender",
    header: t("settings.mail.sender"),
    cell: ({ config }) => (config.case === "smtp" ? config.value.senderAddress : ""),
    isSecondary: true,
  },
  {
    key: "state",
    header: t("settings.keys.state"),
    cell: (server) =>
      isActive(server) ? (
        <Badge look="good">{t("settings.mail.active")}</Badge>
      ) : (
        <Badge>{t("settings.mail.inactive")}</Badge>
      ),
  },
];

/** The servers that mail can be sent by, of which one is active. */
export function MailServersPage() {
  const found = useQuery(AdminService.method.listEmailProviders, {});
  const admin = createClient(AdminService, useTransport());
  const obstacle = useObstacle("iam.write");
  const readAgain = () => found.refetch();
  const [made, setMade] = useState<MadeMailServer>();
  const onDone = async (server?: MadeMailServer) => {
    setMade(server);
    await readAgain();
  };
  return (
    <Page
      title={t("settings.mail")}
      lead={t("settings.mail.lead")}
      parent={{ to: "/settings", label: t("nav.settings") }}
      actions={
        <DialogButton
          icon="plus"
          look="primary"
          disabledReason={obstacle}
          dialog={(close) => <MailServerDialog onClose={close} onDone={onDone} />}
        >
          {t("settings.mail.add")}
        </DialogButton>
      }
    >
      <ActionTable
        label={t("settings.mail")}
        rows={found.data?.result}
        rowKey={({ id }) => id}
        error={found.error}
        isLoading={found.isFetching}
        empty={<Empty>{t("settings.mail.none")}</Empty>}
        columns={columns}
        actionsLabel={(server) => t("settings.mail.actions", { name: nameOf(server) })}
        obstacle={obstacle}
        actions={(server) => actionsOf({ admin, server, onDone })}
      />
      <AfterProviders
        signingKey={made?.signingKey || undefined}
        onClose={() => setMade(made && { ...made, signingKey: "" })}
      />
      {made?.signingKey === "" && <NewMailServer made={made} onDone={onDone} onClose={() => setMade(undefined)} />}
    </Page>
  );
}

interface NewMailServerProps {
  readonly made: MadeMailServer;
  readonly onDone: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks whether a server that was just added is tested, or sends mail from now on. Until then it sends nothing. */
function NewMailServer({ made: { id, isTestable }, onDone, onClose }: NewMailServerProps) {
  const admin = createClient(AdminService, useTransport());
  const [isTesting, setTesting] = useState(false);
  if (isTesting) return <TestMailServer server={{ id }} onClose={() => setTesting(false)} />;
  return (
    <DangerDialog
      look="primary"
      title={t("settings.mail.added")}
      consequences={[t("settings.mail.added.inactive")]}
      action={t("settings.mail.activate")}
      onConfirm={async () => {
        await admin.activateEmailProvider({ id });
        await onDone();
      }}
      onClose={onClose}
    >
      {isTestable && (
        <p>
          <Button onClick={() => setTesting(true)}>{t("settings.mail.test")}</Button>
        </p>
      )}
    </DangerDialog>
  );
}

interface ActionsOptions {
  readonly admin: Client<typeof AdminService>;
  readonly server: EmailProvider;
  readonly onDone: (made?: MadeMailServer) => Promise<unknown>;
}

function actionsOf({ admin, server, onDone }: ActionsOptions): readonly RowAction[] {
  return [
    {
      label: isActive(server) ? t("settings.mail.deactivate") : t("settings.mail.activate"),
      run: async () => {
        const { id } = server;
        await (isActive(server) ? admin.deactivateEmailProvider({ id }) : admin.activateEmailProvider({ id }));
        await onDone();
      },
    },
    {
      label: t("settings.mail.change"),
      dialog: (close) => <MailServerDialog server={server} onClose={close} onDone={onDone} />,
    },
    {
      label: t("settings.mail.test"),
      disabledReason: server.config.case === "http" ? t("settings.mail.test.http") : undefined,
      dialog: (close) => <TestMailServer server={server} onClose={close} />,
    },
    {
      label: t("settings.mail.remove"),
      isDanger: true,
      dialog: (close) => (
        <DangerDialog
          title={t("settings.mail.remove")}
          consequences={[t("settings.mail.remove.consequence")]}
          action={t("settings.mail.remove")}
          onConfirm={async () => {
            await admin.removeEmailProvider({ id: server.id });
            await onDone();
          }}
          onClose={close}
        />
      ),
    },
  ];
}
