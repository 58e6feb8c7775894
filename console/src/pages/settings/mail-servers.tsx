import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { type EmailProvider, EmailProviderState } from "@doorward/api/service/settings/v1/email_pb";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { CheckField, Field, Form } from "../../parts/form.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Empty, Page } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { tell } from "../../parts/toast.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";

type Asked = { readonly action: "add" } | { readonly action: "test" | "remove"; readonly server: EmailProvider };

const nameOf = ({ config, description }: EmailProvider): string =>
  description || (config.case === "smtp" ? config.value.host : (config.value?.endpoint ?? ""));

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
    <Button
      icon="plus"
      look="primary"
      disabled={obstacle !== undefined}
      title={obstacle}
      onClick={() => setAsked({ action: "add" })}
    >
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
        columns={[
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
        ]}
        rowActions={(server) => (
          <Menu
            label={t("settings.mail.actions", { name: nameOf(server) })}
            items={[
              {
                label:
                  server.state === EmailProviderState.EMAIL_PROVIDER_ACTIVE
                    ? t("settings.mail.deactivate")
                    : t("settings.mail.activate"),
                disabledReason: obstacle,
                onSelect: () => void setActive(server),
              },
              {
                label: t("settings.mail.test"),
                disabledReason: obstacle,
                onSelect: () => setAsked({ action: "test", server }),
              },
              {
                label: t("settings.mail.remove"),
                isDanger: true,
                disabledReason: obstacle,
                onSelect: () => setAsked({ action: "remove", server }),
              },
            ]}
          />
        )}
      />
      {asked?.action === "add" && <AddDialog onClose={close} onAdded={() => void found.refetch()} />}
      {asked?.action === "test" && <TestDialog server={asked.server} onClose={close} />}
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

function AddDialog({ onClose, onAdded }: { readonly onClose: () => void; readonly onAdded: () => void }) {
  const admin = createClient(AdminService, useTransport());
  const form = useForm({
    defaultValues: { host: "", tls: true, senderAddress: "", senderName: "", user: "", password: "" },
  });
  return (
    <Dialog title={t("settings.mail.add")} onClose={onClose}>
      <Form
        form={form}
        action={t("settings.mail.add")}
        onSave={async ({ user, password, ...values }) => {
          const auth = { case: "plain", value: { user, password } } as const;
          const { id } = await admin.addEmailProviderSMTP(user === "" ? values : { ...values, auth });
          await admin.activateEmailProvider({ id });
          onAdded();
          onClose();
        }}
      >
        <Field name="host" label={t("settings.mail.host")} hint={t("settings.mail.host.hint")} isRequired />
        <CheckField name="tls" label={t("settings.mail.tls")} />
        <Field name="senderAddress" label={t("settings.mail.sender")} type="email" isRequired />
        <Field name="senderName" label={t("settings.mail.senderName")} isRequired />
        <Field name="user" label={t("settings.mail.user")} />
        <Field name="password" label={t("settings.mail.password")} type="password" autoComplete="new-password" />
      </Form>
    </Dialog>
  );
}

function TestDialog({ server, onClose }: { readonly server: EmailProvider; readonly onClose: () => void }) {
  const admin = createClient(AdminService, useTransport());
  const form = useForm({ defaultValues: { receiverAddress: "" } });
  return (
    <Dialog title={t("settings.mail.test")} onClose={onClose}>
      <Form
        form={form}
        action={t("settings.mail.send")}
        onSave={async ({ receiverAddress }) => {
          await admin.testEmailProviderSMTPById({ id: server.id, receiverAddress });
          tell(t("settings.mail.sent"));
          onClose();
        }}
      >
        <Field name="receiverAddress" label={t("settings.mail.receiver")} type="email" isRequired />
      </Form>
    </Dialog>
  );
}
