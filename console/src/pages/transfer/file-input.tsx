import type { ReactNode } from "react";
import { useId, useState } from "react";

interface FileInputProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Kinds of files, as the browser names them: `.csv,text/csv`. */
  readonly accept: string;
  /** Reads a file, and returns what is wrong with it. */
  readonly onFile: (file: File | undefined) => Promise<string | undefined>;
}

/** A field for a file that is read in the browser. */
export function FileInput({ label, hint, accept, onFile }: FileInputProps) {
  const id = useId();
  const [error, setError] = useState<string>();
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        type="file"
        accept={accept}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={`${id}-hint ${id}-error`}
        onChange={(event) => void onFile(event.target.files?.[0]).then(setError)}
      />
      <p className="hint" id={`${id}-hint`} hidden={!hint}>
        {hint}
      </p>
      <p className="field-error" id={`${id}-error`} hidden={error === undefined} role="alert">
        {error}
      </p>
    </div>
  );
}
