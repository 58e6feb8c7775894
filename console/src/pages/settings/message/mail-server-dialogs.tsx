import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { EmailProvider } from "@doorward/api/service/settings/v1/email_pb";
import { useForm } from "react-hook-form";
import { CheckField, Field } from "../../../parts/form.tsx";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { t } from "../../../text/catalogue.ts";

interface AddMailServerProps {
  readonly onClose: () => void;
  readonly onAdded: () => Promise<unknown>;
}

/** Asks for an SMTP server, which sends mail from then on. */
export function AddMailServer({ onClose, onAdded }: AddMailServerProps) {
  const admin = createClient(AdminService, useTransport());
  const form = useForm({
    defaultValues: { host: "", tls: true, senderAddress: "", senderName: "", user: "", password: "" },
  });
  return (
    <FormDialog
      title={t("settings.mail.add")}
      form={form}
      onClose={onClose}
      onSave={async ({ user, password, ...values }) => {
        const auth = { case: "plain", value: { user, password } } as const;
        const { id } = await admin.addEmailProviderSMTP(user === "" ? values : { ...values, auth });
        await admin.activateEmailProvider({ id });
        await onAdded();
      }}
    >
      <Field name="host" label={t("settings.mail.host")} hint={t("settings.mail.host.hint")} isRequired />
      <CheckField name="tls" label={t("settings.mail.tls")} />
      <Field name="senderAddress" label={t("settings.mail.sender")} type="email" isRequired />
      <Field name="senderName" label={t("settings.mail.senderName")} isRequired />
      <Field name="user" label={t("settings.mail.user")} />
      <Field name="password" label={t("settings.mail.password")} type="password" autoComplete="new-password" />
    </FormDialog>
  );
}

/** Asks for the address that a test is sent to. */
export function TestMailServer({ server, onClose }: { readonly server: EmailProvider; readonly onClose: () => void }) {
  const admin = createClient(AdminService, useTransport());
  const form = useForm({ defaultValues: { receiverAddress: "" } });
  return (
    <FormDialog
      title={t("settings.mail.test")}
      form={form}
      action={t("settings.mail.send")}
      done={t("settings.mail.sent")}
      onClose={onClose}
      onSave={({ receiverAddress }) => admin.testEmailProviderSMTPById({ id: server.id, receiverAddress })}
    >
      <Field name="receiverAddress" label={t("settings.mail.receiver")} type="email" isRequired />
    </FormDialog>
  );
}
