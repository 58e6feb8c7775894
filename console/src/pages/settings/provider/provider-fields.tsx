import { AutoLinkingOption } from "@doorward/api/service/idp/v1/provider_pb";
import { useFormContext } from "react-hook-form";
import { FileTextField } from "../../../parts/file-text-field.tsx";
import { CheckField, Field, SelectField, TextField } from "../../../parts/form.tsx";
import { t } from "../../../text/catalogue.ts";
import { attributeFields, fieldsOf, nameField, type ProviderField } from "./fields.ts";
import type { ProviderKind } from "./kinds.ts";
import { isShown, type ProviderValues } from "./provider-values.ts";

const longestTimeout = 60;

interface ProviderFieldsProps {
  readonly kind: ProviderKind;
  /** Whether the form adds a provider; then a secret is required. */
  readonly isNew: boolean;
}

/** The fields of a kind of provider, and what becomes of accounts there. */
export function ProviderFields({ kind, isNew }: ProviderFieldsProps) {
  const values = useFormContext<ProviderValues>().watch();
  const draw = (fields: readonly ProviderField[]) =>
    fields
      .filter((field) => isShown(field, values))
      .map((field) => <OneField key={field.name} field={field} isNew={isNew} />);
  return (
    <>
      {draw([nameField, ...fieldsOf[kind]])}
      {kind === "ldap" && (
        <fieldset className="field-group columns">
          <legend>{t("provider.attributes")}</legend>
          <p className="hint">{t("provider.attributes.lead")}</p>
          {draw(attributeFields)}
        </fieldset>
      )}
      <OptionFields />
    </>
  );
}

function OneField({ field, isNew }: { readonly field: ProviderField; readonly isNew: boolean }) {
  const { name, kind, hintOfChange, usual } = field;
  const hintKey = isNew ? field.hint : (hintOfChange ?? field.hint);
  const isSecret = kind === "secret" || kind === "key";
  const common = {
    name,
    label: t(field.label),
    ...(hintKey !== undefined && { hint: t(hintKey) }),
    isRequired: field.isRequired === true && (isNew || !isSecret),
  };
  const placeholder = typeof usual === "function" ? usual() : usual;
  const text = {
    ...common,
    ...(field.maxLength !== undefined && { maxLength: field.maxLength }),
    ...(placeholder !== undefined && placeholder !== "" && { hasUsual: true, placeholder }),
  };
  switch (kind) {
    case "flag":
      return <CheckField {...common} />;
    case "choice":
      return (
        <SelectField
          {...common}
          options={(field.choices ?? []).map(([value, label]) => [
            value,
            typeof label === "string" ? t(label) : label.name,
          ])}
        />
      );
    case "lines":
      return <TextField {...common} rows={3} />;
    case "file":
    case "key":
      return <FileTextField {...common} accept={field.accept ?? ""} />;
    case "secret":
      return (
        <Field
          {...text}
          {...(!isNew && { hasUsual: true, placeholder: "••••••••" })}
          type="password"
          autoComplete="new-password"
        />
      );
    case "address":
      return <Field {...text} type="url" placeholder="https://" check={addressProblem} />;
    case "seconds":
      return <Field {...text} type="number" min={0} max={longestTimeout} step="any" check={secondsProblem} />;
    default:
      return <Field {...text} {...(field.length !== undefined && { check: lengthProblem(field.length) })} />;
  }
}

const addressProblem = (value: string): string | undefined =>
  value.trim() === "" || URL.canParse(value.trim()) ? undefined : t("application.saml.metadataUrl.invalid");

const secondsProblem = (value: string): string | undefined =>
  value === "" || (Number(value) > 0 && Number(value) <= longestTimeout)
    ? undefined
    : t("automation.timeout.range", { most: longestTimeout });

const lengthProblem =
  (length: number) =>
  (value: string): string | undefined =>
    value.trim().length === length ? undefined : t("provider.length", { length });

const OptionFields = () => (
  <fieldset className="field-group">
    <legend>{t("provider.options")}</legend>
    <CheckField
      name="providerOptions.isCreationAllowed"
      label={t("provider.options.creation")}
      hint={t("provider.options.creation.hint")}
    />
    <CheckField
      name="providerOptions.isAutoCreation"
      label={t("provider.options.autoCreation")}
      hint={t("provider.options.autoCreation.hint")}
    />
    <CheckField
      name="providerOptions.isLinkingAllowed"
      label={t("provider.options.linking")}
      hint={t("provider.options.linking.hint")}
    />
    <SelectField
      name="providerOptions.autoLinking"
      label={t("provider.options.autoLinking")}
      hint={t("provider.options.autoLinking.hint")}
      options={[
        [String(AutoLinkingOption.UNSPECIFIED), t("settings.off")],
        [String(AutoLinkingOption.EMAIL), t("provider.options.autoLinking.email")],
        [String(AutoLinkingOption.USERNAME), t("provider.options.autoLinking.username")],
      ]}
    />
    <CheckField name="providerOptions.isAutoUpdate" label={t("provider.options.autoUpdate")} />
  </fieldset>
);
