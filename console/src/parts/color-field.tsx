import { useId } from "react";
import { useController, useFormContext } from "react-hook-form";
import { t } from "../text/catalogue.ts";
import { Button } from "./button.tsx";

interface ColorFieldProps {
  readonly name: string;
  readonly label: string;
  /** The color of an empty field. */
  readonly usual: string;
}

/** Whether a text is a color as this field writes it. */
export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** A color: chosen from the browser's palette, or typed as `#rrggbb`. Empty is the usual color. */
export function ColorField({ name, label, usual }: ColorFieldProps) {
  const id = useId();
  const { control } = useFormContext();
  const { field, fieldState } = useController({
    name,
    control,
    rules: { validate: (value: unknown) => value === "" || isColor(String(value)) || t("form.color") },
  });
  const value = String(field.value);
  const error = fieldState.error?.message;
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <div className="color-field">
        <input
          type="color"
          aria-label={t("form.colorOf", { name: label })}
          value={isColor(value) ? value : usual}
          onChange={(event) => field.onChange(event.target.value)}
        />
        <input
          {...field}
          id={id}
          value={value}
          placeholder={usual}
          maxLength={7}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={`${id}-error`}
        />
        {value !== "" && value.toLowerCase() !== usual && (
          <Button look="quiet" aria-label={t("form.usualOf", { name: label })} onClick={() => field.onChange("")}>
            {t("form.usual")}
          </Button>
        )}
      </div>
      <p className="field-error" id={`${id}-error`} hidden={error === undefined}>
        {error}
      </p>
    </div>
  );
}
