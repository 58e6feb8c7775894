import { type Client, createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { type SMSProvider, SMSProviderConfigState } from "@doorward/api/service/settings/v1/sms_pb";
import { type ReactNode, useState } from "react";
import { useAddress } from "../../../address.ts";
import { ActionTable, type RowAction } from "../../../parts/action-table.tsx";
import { Badge } from "../../../parts/badge.tsx";
import { DangerDialog } from "../../../parts/danger-dialog.tsx";
import { DialogButton } from "../../../parts/dialog-button.tsx";
import { Empty, Page } from "../../../parts/page.tsx";
import { type Column, pageSize } from "../../../parts/table.tsx";
import { useObstacle } from "../../../shell/access.ts";
import { t } from "../../../text/catalogue.ts";
import { AfterProviders } from "./after-providers.tsx";
import { SmsProviderDialog, TwilioTokenDialog } from "./sms-provider-dialogs.tsx";

const nameOf = ({ config, description }: SMSProvider): string =>
  description || (config.case === "http" ? config.value.endpoint : (config.value?.sid ?? ""));

const isActive = ({ state }: SMSProvider): boolean => state === SMSProviderConfigState.SMS_PROVIDER_CONFIG_ACTIVE;

const columns: readonly Column<SMSProvider>[] = [
  { key: "name", header: t("settings.sms.provider"), cell: nameOf },
  {
    key: "kind",
    header: t("settings.sms.kind"),
    cell: ({ config }) => (config.case === "http" ? t("settings.sms.http") : "Twilio"),
  },
  {
    key: "sender",
    header: t("settings.sms.sender"),
    cell: ({ config }) => (config.case === "twilio" ? config.value.senderNumber : ""),
    isSecondary: true,
  },
  {
    key: "state",
    header: t("settings.keys.state"),
    cell: (provider) =>
      isActive(provider) ? (
        <Badge look="good">{t("settings.sms.active")}</Badge>
      ) : (
        <Badge>{t("settings.mail.inactive")}</Badge>
      ),
  },
];

/** What text messages can be sent by, of which one is active. */
export function SmsProvidersPage() {
  const { page, setPage } = useAddress();
  const admin = createClient(AdminService, useTransport());
  const obstacle = useObstacle("iam.write");
  const [signingKey, setSigningKey] = useState<string>();
  const found = useQuery(AdminService.method.listSMSProviders, {
    query: { offset: BigInt(page * pageSize), limit: pageSize },
  });
  const readAgain = () => found.refetch();
  const dialog = (provider?: SMSProvider) => (close: () => void) => (
    <SmsProviderDialog
      {...(provider && { provider })}
      isFirst={found.data?.result.some(isActive) === false}
      onClose={close}
      onDone={async (key) => {
        setSigningKey(key || undefined);
        await readAgain();
      }}
    />
  );
  return (
    <Page
      title={t("settings.sms")}
      lead={t("settings.sms.lead")}
      parent={{ to: "/settings", label: t("nav.settings") }}
      actions={
        <DialogButton icon="plus" look="primary" disabledReason={obstacle} dialog={dialog()}>
          {t("settings.sms.add")}
        </DialogButton>
      }
    >
      <ActionTable
        label={t("settings.sms")}
        columns={columns}
        rows={found.data?.result}
        rowKey={({ id }) => id}
        error={found.error}
        isLoading={found.isFetching}
        empty={<Empty>{t("settings.sms.none")}</Empty>}
        paging={{ page, pageSize, total: found.data?.details?.totalResult, onPage: setPage }}
        actionsLabel={(provider) => t("settings.mail.actions", { name: nameOf(provider) })}
        obstacle={obstacle}
        actions={(provider) =>
          actionsOf({ admin, provider, change: dialog(provider), onKey: setSigningKey, readAgain })
        }
      />
      <AfterProviders signingKey={signingKey} onClose={() => setSigningKey(undefined)} />
    </Page>
  );
}

interface ActionsOptions {
  readonly admin: Client<typeof AdminService>;
  readonly provider: SMSProvider;
  readonly change: (close: () => void) => ReactNode;
  readonly onKey: (signingKey: string | undefined) => void;
  readonly readAgain: () => Promise<unknown>;
}

function actionsOf({ admin, provider, change, onKey, readAgain }: ActionsOptions): readonly RowAction[] {
  return [
    {
      label: isActive(provider) ? t("settings.sms.deactivate") : t("settings.sms.activate"),
      run: async () => {
        const { id } = provider;
        await (isActive(provider) ? admin.deactivateSMSProvider({ id }) : admin.activateSMSProvider({ id }));
        await readAgain();
      },
    },
    { label: t("settings.sms.change"), dialog: change },
    provider.config.case === "http"
      ? {
          label: t("settings.sms.newKey"),
          dialog: (close) => <ReplaceKey provider={provider} onClose={close} onDone={onKey} />,
        }
      : {
          label: t("settings.sms.newToken"),
          dialog: (close) => <TwilioTokenDialog provider={provider} onClose={close} />,
        },
    {
      label: t("settings.sms.remove"),
      isDanger: true,
      dialog: (close) => (
        <DangerDialog
          title={t("settings.sms.remove")}
          consequences={[t("settings.sms.remove.consequence")]}
          action={t("settings.sms.remove")}
          onConfirm={async () => {
            await admin.removeSMSProvider({ id: provider.id });
            await readAgain();
          }}
          onClose={close}
        />
      ),
    },
  ];
}

interface ReplaceKeyProps {
  readonly provider: SMSProvider;
  readonly onClose: () => void;
  readonly onDone: (signingKey: string | undefined) => void;
}

function ReplaceKey({ provider: { id, config, description }, onClose, onDone }: ReplaceKeyProps) {
  const admin = createClient(AdminService, useTransport());
  const endpoint = config.case === "http" ? config.value.endpoint : "";
  return (
    <DangerDialog
      title={t("settings.sms.newKey")}
      consequences={[t("settings.sms.newKey.consequence")]}
      action={t("settings.sms.newKey")}
      onConfirm={async () => {
        const expirationSigningKey = { seconds: 0n, nanos: 0 };
        const { signingKey } = await admin.updateSMSProviderHTTP({ id, endpoint, description, expirationSigningKey });
        onDone(signingKey);
      }}
      onClose={onClose}
    />
  );
}
