import { useFormContext } from "react-hook-form";
import { Field, SelectField } from "../../parts/form.tsx";
import { RowsField } from "../../parts/rows-field.tsx";
import { t } from "../../text/catalogue.ts";
import { metadataSource, newAttribute, sourceChoices } from "./saml-options.ts";

const most = 50;

/** The attributes of the assertion: what each is called, and where its values come from. */
export const SamlAttributesField = () => (
  <RowsField
    name="attributes"
    label={t("application.saml.attributes")}
    add={t("application.saml.attributes.add")}
    empty={t("application.saml.attributes.none")}
    newRow={newAttribute}
    most={most}
  >
    {(prefix) => <Attribute prefix={prefix} />}
  </RowsField>
);

function Attribute({ prefix }: { readonly prefix: string }) {
  const source = useFormContext().watch(`${prefix}.source`) as string;
  return (
    <>
      <Field name={`${prefix}.name`} label={t("application.name")} isRequired maxLength={200} />
      <SelectField name={`${prefix}.source`} label={t("application.saml.from")} options={sourceChoices()} />
      {source === metadataSource && (
        <Field
          name={`${prefix}.metadataEntry`}
          label={t("application.saml.metadataEntry")}
          isRequired
          maxLength={200}
        />
      )}
      <Field name={`${prefix}.friendlyName`} label={t("application.saml.friendlyName")} maxLength={200} />
    </>
  );
}
