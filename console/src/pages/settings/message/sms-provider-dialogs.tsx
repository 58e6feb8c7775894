import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { SMSProvider } from "@doorward/api/service/settings/v1/sms_pb";
import { useForm } from "react-hook-form";
import { Field, SelectField } from "../../../parts/form.tsx";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { t } from "../../../text/catalogue.ts";

interface SmsProviderDialogProps {
  /** The provider that is changed; a new one when left out. */
  readonly provider?: SMSProvider;
  /** A new one sends text messages at once. */
  readonly isFirst?: boolean;
  readonly onClose: () => void;
  /** A new HTTP provider has a signing key, which is shown once. */
  readonly onDone: (signingKey: string | undefined) => Promise<unknown>;
}

const valuesOf = (provider: SMSProvider | undefined) => {
  const { config, description = "" } = provider ?? {};
  const twilio = config?.case === "twilio" ? config.value : undefined;
  return {
    kind: config?.case ?? "twilio",
    description,
    endpoint: config?.case === "http" ? config.value.endpoint : "",
    sid: twilio?.sid ?? "",
    token: "",
    senderNumber: twilio?.senderNumber ?? "",
    verifyServiceSid: twilio?.verifyServiceSid ?? "",
  };
};

/** Asks for a provider of text messages: Twilio, or an endpoint that sends them. */
export function SmsProviderDialog({ provider, isFirst = false, onClose, onDone }: SmsProviderDialogProps) {
  const admin = createClient(AdminService, useTransport());
  const form = useForm({ defaultValues: valuesOf(provider) });
  const isNew = provider === undefined;
  const isHttp = form.watch("kind") === "http";
  const save = async ({ endpoint, description, token, ...values }: ReturnType<typeof valuesOf>) => {
    const { sid, senderNumber, verifyServiceSid } = values;
    const http = { endpoint: endpoint.trim(), description };
    const twilio = { sid: sid.trim(), senderNumber: senderNumber.trim(), verifyServiceSid, description };
    if (!isNew) {
      const { id } = provider;
      await (isHttp ? admin.updateSMSProviderHTTP({ id, ...http }) : admin.updateSMSProviderTwilio({ id, ...twilio }));
      return onDone(undefined);
    }
    const made = isHttp ? await admin.addSMSProviderHTTP(http) : await admin.addSMSProviderTwilio({ ...twilio, token });
    if (isFirst) await admin.activateSMSProvider({ id: made.id });
    return onDone("signingKey" in made ? made.signingKey : undefined);
  };
  return (
    <FormDialog
      title={isNew ? t("settings.sms.add") : t("settings.sms.change")}
      action={isNew ? t("settings.sms.add") : t("common.save")}
      form={form}
      done={t("settings.saved")}
      onClose={onClose}
      onSave={save}
    >
      {isNew && (
        <SelectField
          name="kind"
          label={t("settings.sms.kind")}
          options={[
            ["twilio", "Twilio"],
            ["http", t("settings.sms.http")],
          ]}
        />
      )}
      <Field name="description" label={t("settings.sms.description")} maxLength={200} />
      {isHttp ? (
        <Field
          name="endpoint"
          label={t("settings.sms.endpoint")}
          hint={t("settings.sms.endpoint.hint")}
          type="url"
          placeholder="https://"
          isRequired
        />
      ) : (
        <>
          <Field name="sid" label={t("settings.sms.sid")} isRequired />
          {isNew && (
            <Field
              name="token"
              label={t("settings.sms.token")}
              type="password"
              autoComplete="new-password"
              isRequired
            />
          )}
          <Field name="senderNumber" label={t("settings.sms.sender")} type="tel" placeholder="+1" />
          <Field
            name="verifyServiceSid"
            label={t("settings.sms.verify")}
            hint={t("settings.sms.verify.hint")}
            check={(value) =>
              value.trim() === "" && form.getValues("senderNumber").trim() === ""
                ? t("settings.sms.senderNeeded")
                : undefined
            }
          />
        </>
      )}
    </FormDialog>
  );
}

interface TwilioTokenDialogProps {
  readonly provider: SMSProvider;
  readonly onClose: () => void;
}

/** Asks for another token of a Twilio account. The one that is stored is never shown. */
export function TwilioTokenDialog({ provider: { id }, onClose }: TwilioTokenDialogProps) {
  const admin = createClient(AdminService, useTransport());
  const form = useForm({ defaultValues: { token: "" } });
  return (
    <FormDialog
      title={t("settings.sms.newToken")}
      action={t("common.save")}
      form={form}
      done={t("settings.saved")}
      onClose={onClose}
      onSave={({ token }) => admin.updateSMSProviderTwilioToken({ id, token })}
    >
      <Field name="token" label={t("settings.sms.token")} type="password" autoComplete="new-password" isRequired />
    </FormDialog>
  );
}
