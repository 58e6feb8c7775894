import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { type EmailProvider, EmailProviderState } from "@doorward/api/service/settings/v1/email_pb";
import { useState } from "react";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Empty, Page } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { AddMailServer, TestMailServer } from "./mail-server-dialogs.tsx";

type Asked = { readonly action: "add" } | { readonly action: "test" | "remove"; readonly server: EmailProvider };

const nameOf = ({ config, description }: EmailProvider): string =>
  description || (config.case === "smtp" ? config.value.host : (config.value?.endpoint ?? ""));

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
    cell: ({ state }) =>
      state === EmailProviderState.EMAIL_PROVIDER_ACTIVE ? (
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
  const [asked, setAsked] = useState<Asked>();
  const obstacle = useObstacle("iam.write");
  const close = () => setAsked(undefined);
  const setActive = async ({ id, state }: EmailProvider) => {
    await (state === EmailProviderState.EMAIL_PROVIDER_ACTIVE
      ? admin.deactivateEmailProvider({ id })
      : admin.activateEmailProvider({ id }));
    await found.refetch();
  };
  const addButton = (
    <Button icon="plus" look="primary" disabledReason={obstacle} onClick={() => setAsked({ action: "add" })}>
      {t("settings.mail.add")}
    </Button>
  );
  return (
    <Page
      title={t("settings.mail")}
      lead={t("settings.mail.lead")}
      parent={{ to: "/settings", label: t("nav.settings") }}
      actions={addButton}
    >
      <Table
        label={t("settings.mail")}
        rows={found.data?.result}
        rowKey={({ id }) => id}
        error={found.error}
        isLoading={found.isFetching}
        empty={<Empty>{t("settings.mail.none")}</Empty>}
        columns={columns}
        rowActions={(server) => (
          <ServerMenu server={server} obstacle={obstacle} onActive={() => void setActive(server)} onAsk={setAsked} />
        )}
      />
      {asked?.action === "add" && <AddMailServer onClose={close} onAdded={() => void found.refetch()} />}
      {asked?.action === "test" && <TestMailServer server={asked.server} onClose={close} />}
      {asked?.action === "remove" && (
        <DangerDialog
          title={t("settings.mail.remove")}
          consequences={[t("settings.mail.remove.consequence")]}
          action={t("settings.mail.remove")}
          onConfirm={async () => {
            await admin.removeEmailProvider({ id: asked.server.id });
            await found.refetch();
          }}
          onClose={close}
        />
      )}
    </Page>
  );
}

interface ServerMenuProps {
  readonly server: EmailProvider;
  readonly obstacle: string | undefined;
  readonly onActive: () => void;
  readonly onAsk: (asked: Asked) => void;
}

function ServerMenu({ server, obstacle, onActive, onAsk }: ServerMenuProps) {
  const isActive = server.state === EmailProviderState.EMAIL_PROVIDER_ACTIVE;
  const items = [
    { label: isActive ? t("settings.mail.deactivate") : t("settings.mail.activate"), onSelect: onActive },
    { label: t("settings.mail.test"), onSelect: () => onAsk({ action: "test", server }) },
    { label: t("settings.mail.remove"), isDanger: true, onSelect: () => onAsk({ action: "remove", server }) },
  ];
  return (
    <Menu
      label={t("settings.mail.actions", { name: nameOf(server) })}
      items={items.map((item) => ({ ...item, disabledReason: obstacle }))}
    />
  );
}
