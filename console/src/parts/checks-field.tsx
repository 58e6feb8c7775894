import { useId } from "react";
import { useController, useFormContext } from "react-hook-form";
import { t } from "../text/catalogue.ts";
import type { Choice } from "./picker.tsx";

interface ChecksFieldProps {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly Choice[] | undefined;
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** What is said when there is nothing to choose. */
  readonly empty?: string;
}

/** A choice of several among few, as check boxes. Its value is a list of ids. */
export function ChecksField({ name, label, choices, hint = "", isRequired = false, empty }: ChecksFieldProps) {
  const id = useId();
  const { control } = useFormContext();
  const { field, fieldState } = useController({
    name,
    control,
    rules: isRequired
      ? { validate: (value: unknown) => (value as readonly string[]).length > 0 || t("form.required") }
      : {},
  });
  const chosen = field.value as readonly string[];
  const error = fieldState.error?.message;
  return (
    <fieldset className="field" aria-describedby={`${id}-hint ${id}-error`}>
      <legend className="label">{label}</legend>
      <div className="check-list" aria-busy={choices === undefined}>
        {choices?.length === 0 && <p className="muted">{empty}</p>}
        {choices?.map((choice) => (
          <label key={choice.id}>
            <input
              type="checkbox"
              checked={chosen.includes(choice.id)}
              onBlur={field.onBlur}
              onChange={(event) =>
                field.onChange(
                  event.target.checked ? [...chosen, choice.id] : chosen.filter((former) => former !== choice.id),
                )
              }
            />
            <span>
              {choice.name}
              {choice.detail && <span className="subtitle">{choice.detail}</span>}
            </span>
          </label>
        ))}
      </div>
      <p className="hint" id={`${id}-hint`} hidden={hint === ""}>
        {hint}
      </p>
      <p className="field-error" id={`${id}-error`} hidden={error === undefined}>
        {error}
      </p>
    </fieldset>
  );
}
