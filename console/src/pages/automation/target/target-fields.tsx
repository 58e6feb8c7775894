import { useFormContext } from "react-hook-form";
import { CheckField, Field, SelectField } from "../../../parts/form.tsx";
import { t } from "../../../text/catalogue.ts";
import { TimeoutField } from "../timeout-field.tsx";
import { kindChoices, payloadChoices, type TargetValues } from "./target-values.ts";

const longest = 270;

/** The fields of a target, in the form that creates it and in the one that changes it. */
export function TargetFields() {
  const kind = useFormContext<TargetValues>().watch("kind");
  return (
    <>
      <Field name="name" label={t("automation.name")} isRequired maxLength={200} />
      <Field
        name="endpoint"
        label={t("automation.endpoint")}
        hint={t("automation.endpoint.hint")}
        type="url"
        placeholder="https://"
        isRequired
        check={(value) => (URL.canParse(value.trim()) ? undefined : t("automation.endpoint.invalid"))}
      />
      <SelectField name="kind" label={t("automation.kind")} options={kindChoices()} />
      {kind !== "restAsync" && (
        <CheckField name="interruptOnError" label={t("automation.interrupt")} hint={t("automation.interrupt.hint")} />
      )}
      <TimeoutField longest={longest} />
      <SelectField
        name="payloadType"
        label={t("automation.payload")}
        hint={t("automation.payload.hint")}
        options={payloadChoices()}
      />
    </>
  );
}
