import type { ReactNode } from "react";
import { useFieldArray, useFormContext } from "react-hook-form";
import { t } from "../text/catalogue.ts";
import { Button, IconButton } from "./button.tsx";

interface RowsFieldProps {
  readonly name: string;
  readonly label: string;
  readonly add: string;
  /** What is said, or what holds, while there is no row. */
  readonly empty: string;
  readonly newRow: object;
  readonly most: number;
  /** The fields of a row, whose names begin with `prefix`. */
  readonly children: (prefix: string) => ReactNode;
}

/** A list of things with fields of their own, such as the scopes of an API. Its value is a list of objects. */
export function RowsField({ name, label, add, empty, newRow, most, children }: RowsFieldProps) {
  const { control } = useFormContext();
  const { fields, append, remove } = useFieldArray({ control, name });
  return (
    <fieldset className="field rows">
      <legend className="label">{label}</legend>
      {fields.length === 0 && <p className="muted">{empty}</p>}
      {fields.map((field, index) => (
        <div key={field.id} className="rows-row">
          <div className="rows-fields">{children(`${name}.${index}`)}</div>
          <IconButton icon="close" label={t("rows.remove", { number: index + 1 })} onClick={() => remove(index)} />
        </div>
      ))}
      {fields.length < most && (
        <p>
          <Button icon="plus" onClick={() => append(newRow)}>
            {add}
          </Button>
        </p>
      )}
    </fieldset>
  );
}
