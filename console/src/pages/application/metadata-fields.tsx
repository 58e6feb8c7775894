import { useFormContext } from "react-hook-form";
import { FileTextField } from "../../parts/file-text-field.tsx";
import { Field, SelectField } from "../../parts/form.tsx";
import { t } from "../../text/catalogue.ts";

/** The metadata of a service provider as a form has it. */
export interface MetadataValues {
  metadataSource: string;
  metadataUrl: string;
  metadataXml: string;
}

export const noMetadata: MetadataValues = { metadataSource: "url", metadataUrl: "", metadataXml: "" };

/** Returns the metadata as requests have it. */
export const toMetadata = ({ metadataSource, metadataUrl, metadataXml }: MetadataValues) =>
  metadataSource === "url"
    ? ({ case: "metadataUrl", value: metadataUrl.trim() } as const)
    : ({ case: "metadataXml", value: new TextEncoder().encode(metadataXml.trim()) } as const);

/** Asks for the metadata of a service provider: its address, or the file. */
export function MetadataFields() {
  const source = useFormContext<MetadataValues>().watch("metadataSource");
  return (
    <>
      <SelectField
        name="metadataSource"
        label={t("application.saml.source")}
        options={[
          ["url", t("application.saml.source.url")],
          ["file", t("application.saml.source.file")],
        ]}
      />
      {source === "url" ? (
        <Field
          name="metadataUrl"
          label={t("application.saml.metadataUrl")}
          hint={t("application.saml.metadataUrl.hint")}
          type="url"
          placeholder="https://"
          isRequired
          check={(value) => (URL.canParse(value.trim()) ? undefined : t("application.saml.metadataUrl.invalid"))}
        />
      ) : (
        <FileTextField
          name="metadataXml"
          label={t("application.saml.metadata")}
          accept=".xml,application/xml,text/xml,application/samlmetadata+xml"
          isRequired
        />
      )}
    </>
  );
}
