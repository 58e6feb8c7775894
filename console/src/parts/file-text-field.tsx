import { useFormContext } from "react-hook-form";
import { t } from "../text/catalogue.ts";
import { TextField } from "./form.tsx";

interface FileTextFieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** Kinds of files, as the browser names them: `.xml,text/xml`. */
  readonly accept: string;
}

/** A field for the text of a file, which is pasted or read from the file. */
export function FileTextField({ accept, ...field }: FileTextFieldProps) {
  const { setValue } = useFormContext();
  const read = async (file: File | undefined): Promise<void> => {
    if (file !== undefined) setValue(field.name, await file.text(), { shouldDirty: true, shouldValidate: true });
  };
  return (
    <>
      <TextField {...field} rows={6} isCode />
      <label className="file-button">
        <span className="label">{t("file.choose", { name: field.label })}</span>
        <input type="file" accept={accept} onChange={(event) => void read(event.target.files?.[0])} />
      </label>
    </>
  );
}
