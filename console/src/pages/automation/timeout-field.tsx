import { Field } from "../../parts/form.tsx";
import { t } from "../../text/catalogue.ts";

/** A field for how long a script or target may take, in seconds: more than none, and at most `longest`. */
export const TimeoutField = ({ longest }: { readonly longest: number }) => (
  <Field
    name="timeout"
    label={t("automation.timeout")}
    type="number"
    min={0}
    max={longest}
    step="any"
    isRequired
    check={(value) =>
      Number(value) > 0 && Number(value) <= longest ? undefined : t("automation.timeout.range", { most: longest })
    }
  />
);
