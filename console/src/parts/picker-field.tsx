import { useController, useFormContext } from "react-hook-form";
import { t } from "../text/catalogue.ts";
import { type Choice, Picker } from "./picker.tsx";

interface PickerFieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly find: (text: string) => Promise<readonly Choice[]>;
  readonly queryKey: string;
}

/** A `Picker` as a field of a `Form`. Its value is a `Choice`, or undefined. */
export function PickerField({ name, isRequired = false, ...rest }: PickerFieldProps) {
  const { control } = useFormContext();
  const { field, fieldState } = useController({
    name,
    control,
    rules: isRequired ? { validate: (value: unknown) => value !== undefined || t("form.required") } : {},
  });
  return (
    <Picker
      {...rest}
      chosen={field.value as Choice | undefined}
      onChoose={field.onChange}
      error={fieldState.error?.message}
      isOptional={!isRequired}
    />
  );
}
