import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { EmailProvider } from "@doorward/api/service/settings/v1/email_pb";
import { useForm } from "react-hook-form";
import { Dialog } from "../../parts/dialog.tsx";
import { CheckField, Field, Form } from "../../parts/form.tsx";
import { tell } from "../../parts/toast.tsx";
import { t } from "../../text/catalogue.ts";

/** Asks for an SMTP server, which sends mail from then on. */
export function AddMailServer({ onClose, onAdded }: { readonly onClose: () => void; readonly onAdded: () => void }) {
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

/** Asks for the address that a test is sent to. */
export function TestMailServer({ server, onClose }: { readonly server: EmailProvider; readonly onClose: () => void }) {
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
