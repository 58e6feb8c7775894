import { useId } from "react";
import { useController, useFormContext } from "react-hook-form";
import { t } from "../text/catalogue.ts";
import { IconButton } from "./button.tsx";
import { type Choice, Picker } from "./picker.tsx";

interface OrderedFieldProps {
  readonly name: string;
  readonly label: string;
  /** What the field that adds one asks for. */
  readonly add: string;
  /** What is said while nothing is chosen. */
  readonly empty: string;
  readonly isRequired?: boolean;
  readonly find: (text: string) => Promise<readonly Choice[]>;
  readonly queryKey: string;
}

/** A choice of several things in an order that counts. Its value is a list of `Choice`. */
export function OrderedField({ name, label, add, empty, isRequired = false, find, queryKey }: OrderedFieldProps) {
  const id = useId();
  const { control } = useFormContext();
  const { field, fieldState } = useController({
    name,
    control,
    rules: isRequired
      ? { validate: (value: unknown) => (value as readonly Choice[]).length > 0 || t("form.required") }
      : {},
  });
  const chosen = field.value as readonly Choice[];
  const moveUp = (index: number) => {
    const next = [...chosen];
    next.splice(index - 1, 2, ...chosen.slice(index - 1, index + 1).toReversed());
    field.onChange(next);
  };
  return (
    <fieldset className="field" aria-describedby={`${id}-error`}>
      <legend className="label">{label}</legend>
      {chosen.length === 0 && <p className="muted">{empty}</p>}
      <ol className="ordered">
        {chosen.map((choice, index) => (
          <li key={choice.id}>
            <span>{choice.name}</span>
            {index > 0 && (
              <IconButton icon="up" label={t("ordered.moveUp", { name: choice.name })} onClick={() => moveUp(index)} />
            )}
            <IconButton
              icon="close"
              label={t("ordered.remove", { name: choice.name })}
              onClick={() => field.onChange(chosen.filter((one) => one !== choice))}
            />
          </li>
        ))}
      </ol>
      <Picker
        label={add}
        chosen={undefined}
        onChoose={(choice) => choice && field.onChange([...chosen, choice])}
        find={async (text) => (await find(text)).filter(({ id: found }) => !chosen.some((one) => one.id === found))}
        queryKey={`${queryKey}-${chosen.map((one) => one.id).join("-")}`}
      />
      <p className="field-error" id={`${id}-error`} hidden={fieldState.error === undefined}>
        {fieldState.error?.message}
      </p>
    </fieldset>
  );
}
