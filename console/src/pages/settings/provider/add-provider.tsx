import { useForm } from "react-hook-form";
import { Dialog } from "../../../parts/dialog.tsx";
import { CheckField, Field, Form, SelectField, TextField } from "../../../parts/form.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { readEnvironment } from "../../../session/environment.ts";
import { useOrganizationId } from "../../../shell/access.ts";
import { t } from "../../../text/catalogue.ts";
import { kinds, type ProviderKind } from "./kinds.ts";
import { useProviderAccess } from "./provider-access.ts";

interface AddProviderProps {
  readonly onClose: () => void;
  readonly onAdded: () => Promise<unknown>;
}

/** Asks for an identity provider, and whether the login offers it at once. */
export function AddProvider({ onClose, onAdded }: AddProviderProps) {
  const access = useProviderAccess();
  const organizationId = useOrganizationId();
  // Providers of an organization have an address of their own (RFC 9700 §4.4.2).
  const callback = `${readEnvironment().origin}/idps/callback${organizationId === undefined ? "" : `/${organizationId}`}`;
  const form = useForm({
    defaultValues: {
      kind: "oidc",
      name: "",
      issuer: "",
      clientId: "",
      clientSecret: "",
      metadataXml: "",
      isOffered: false,
    },
  });
  const kind = form.watch("kind") as ProviderKind;
  return (
    <Dialog title={t("settings.providers.add")} onClose={onClose}>
      <Form
        form={form}
        action={t("settings.providers.add")}
        onSave={async ({ isOffered, ...values }) => {
          const { id } = await access.add(kind, values);
          if (isOffered) await access.offer({ id, owner: 0 });
          await onAdded();
          form.reset();
          onClose();
        }}
      >
        <SelectField name="kind" label={t("settings.providers.kind")} options={kinds} />
        <Field name="name" label={t("settings.providers.name")} hint={t("settings.providers.name.hint")} isRequired />
        {kind === "oidc" && (
          <Field name="issuer" label={t("settings.providers.issuer")} type="url" placeholder="https://" isRequired />
        )}
        {kind === "saml" ? (
          <TextField name="metadataXml" label={t("settings.providers.metadata")} rows={6} isRequired />
        ) : (
          <>
            <Field name="clientId" label={t("settings.providers.clientId")} isRequired />
            <Field
              name="clientSecret"
              label={t("settings.providers.secret")}
              type="password"
              autoComplete="new-password"
              isRequired
            />
            <Notice>{t("settings.providers.redirect", { address: callback })}</Notice>
          </>
        )}
        <CheckField name="isOffered" label={t("settings.providers.offerNow")} />
      </Form>
    </Dialog>
  );
}
