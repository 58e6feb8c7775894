import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { EmailProvider } from "@doorward/api/service/settings/v1/email_pb";
import { useForm, useFormContext } from "react-hook-form";
import { CheckField, Field, SelectField } from "../../../parts/form.tsx";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { t } from "../../../text/catalogue.ts";
import { type MailServerValues, mailServerValues, toHttp, toNewSmtp, toSmtp } from "./mail-server-values.ts";

interface MailServerDialogProps {
  /** The server that is changed; a new one when left out. */
  readonly server?: EmailProvider;
  readonly onClose: () => void;
  readonly onDone: (made?: MadeMailServer) => Promise<unknown>;
}

/** A server that was just added: it sends nothing until it is activated. */
export interface MadeMailServer {
  readonly id: string;
  /** A new HTTP endpoint has a signing key, which is shown once. */
  readonly signingKey: string;
  readonly isTestable: boolean;
}

/** Asks for a server that sends mail, or for an endpoint that does. */
export function MailServerDialog({ server, onClose, onDone }: MailServerDialogProps) {
  const admin = createClient(AdminService, useTransport());
  const form = useForm<MailServerValues>({ defaultValues: mailServerValues(server) });
  const isNew = server === undefined;
  const add = async (values: MailServerValues) => {
    const made =
      values.kind === "http"
        ? await admin.addEmailProviderHTTP(toHttp(values))
        : await admin.addEmailProviderSMTP(toNewSmtp(values));
    return { id: made.id, signingKey: "signingKey" in made ? made.signingKey : "", isTestable: values.kind !== "http" };
  };
  const change = async (id: string, values: MailServerValues) => {
    if (values.kind === "http") await admin.updateEmailProviderHTTP({ id, ...toHttp(values) });
    else await admin.updateEmailProviderSMTP({ id, ...toSmtp(values) });
    return undefined;
  };
  return (
    <FormDialog
      title={isNew ? t("settings.mail.add") : t("settings.mail.change")}
      action={isNew ? t("settings.mail.add") : t("common.save")}
      form={form}
      done={t("settings.saved")}
      onClose={onClose}
      onSave={async (values) => onDone(isNew ? await add(values) : await change(server.id, values))}
    >
      {isNew && (
        <SelectField
          name="kind"
          label={t("settings.sms.kind")}
          options={[
            ["smtp", t("settings.mail.smtp")],
            ["http", t("settings.sms.http")],
          ]}
        />
      )}
      <Field name="description" label={t("settings.sms.description")} maxLength={200} />
      {form.watch("kind") === "http" ? (
        <Field
          name="endpoint"
          label={t("settings.sms.endpoint")}
          hint={t("settings.sms.endpoint.hint")}
          type="url"
          placeholder="https://"
          isRequired
        />
      ) : (
        <SmtpFields isNew={isNew} />
      )}
    </FormDialog>
  );
}

function SmtpFields({ isNew }: { readonly isNew: boolean }) {
  const method = useFormContext<MailServerValues>().watch("method");
  return (
    <>
      <Field name="host" label={t("settings.mail.host")} hint={t("settings.mail.host.hint")} isRequired />
      <CheckField name="tls" label={t("settings.mail.tls")} />
      <Field name="senderAddress" label={t("settings.mail.sender")} type="email" isRequired />
      <Field name="senderName" label={t("settings.mail.senderName")} isRequired />
      <Field name="replyToAddress" label={t("settings.mail.replyTo")} type="email" />
      {isNew && (
        <SelectField
          name="method"
          label={t("settings.mail.method")}
          options={[
            ["plain", t("settings.mail.method.password")],
            ["xoauth2", t("settings.mail.method.oauth")],
            ["none", t("settings.mail.method.none")],
          ]}
        />
      )}
      {method !== "none" && <Field name="user" label={t("settings.mail.user")} isRequired />}
      {method === "plain" && (
        <Field
          name="password"
          label={t("settings.mail.password")}
          hint={isNew ? undefined : t("settings.mail.password.keep")}
          type="password"
          autoComplete="new-password"
          isRequired={isNew}
        />
      )}
      {method === "xoauth2" && isNew && <OauthFields />}
    </>
  );
}

const OauthFields = () => (
  <>
    <Field name="tokenEndpoint" label={t("settings.mail.tokenEndpoint")} type="url" placeholder="https://" isRequired />
    <Field name="clientId" label={t("settings.providers.clientId")} isRequired />
    <Field
      name="clientSecret"
      label={t("settings.providers.secret")}
      type="password"
      autoComplete="new-password"
      isRequired
    />
    <Field name="scopes" label={t("settings.mail.scopes")} hint={t("settings.mail.scopes.hint")} />
  </>
);

/** Asks for the address that a test is sent to. */
export function TestMailServer({
  server,
  onClose,
}: {
  readonly server: { readonly id: string };
  readonly onClose: () => void;
}) {
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
