import { useId, useState } from "react";
import { t } from "../../text/catalogue.ts";
import type { FieldDocument, MethodDocument } from "./contract.ts";
import { type Body, withField } from "./request-body.ts";

interface RequestFormProps {
  readonly document: MethodDocument;
  readonly body: Body;
  readonly onChange: (body: Body) => void;
}

/** The body of a request, one field of the form for each of its fields, with what the reference says about it. */
export function RequestForm({ document, body, onChange }: RequestFormProps) {
  const fields = document.types[document.method.request]?.fields ?? [];
  if (fields.length === 0) return <p className="muted">{t("request.noFields")}</p>;
  return fields.map((field) => (
    <RequestField
      key={field.name}
      field={field}
      values={document.types[field.refersTo ?? ""]?.values.map(({ name }) => name) ?? []}
      value={body[field.name]}
      onChange={(value) => onChange(withField(body, field.name, value))}
    />
  ));
}

interface RequestFieldProps {
  readonly field: FieldDocument;
  /** The names of an enumeration. */
  readonly values: readonly string[];
  readonly value: unknown;
  /** Undefined leaves the field out. */
  readonly onChange: (value: unknown) => void;
}

function RequestField({ field, values, value, onChange }: RequestFieldProps) {
  const id = useId();
  const hint = [field.type, ...field.limits].join("; ");
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        <code>{field.name}</code>
        {!field.isRequired && <span className="muted"> {t("form.optional")}</span>}
      </label>
      <RequestInput id={id} field={field} values={values} value={value} onChange={onChange} />
      <p className="hint" id={`${id}-hint`} lang="en" dir="ltr">
        {field.text} {hint}
      </p>
    </div>
  );
}

function RequestInput({ id, field, values, value, onChange }: RequestFieldProps & { readonly id: string }) {
  const described = { id, "aria-describedby": `${id}-hint` };
  const options = field.type === "true or false" ? ["true", "false"] : values;
  const isOne = !/^(?:list|map) of /.test(field.type);
  if (isOne && options.length > 0) {
    return (
      <select {...described} value={String(value ?? "")} onChange={(event) => onChange(toChoice(event.target.value))}>
        <option value="">–</option>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    );
  }
  if (isOne && /^(?:text|integer|number|base64|date and time|duration|names of fields)$/.test(field.type)) {
    const isNumber = field.type === "integer" || field.type === "number";
    return (
      <input
        {...described}
        autoComplete="off"
        spellCheck={false}
        inputMode={isNumber ? "numeric" : undefined}
        value={value === undefined ? "" : String(value)}
        onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
      />
    );
  }
  return <PartInput described={described} value={value} onChange={onChange} />;
}

const toChoice = (chosen: string): unknown =>
  chosen === "" ? undefined : chosen === "true" || chosen === "false" ? chosen === "true" : chosen;

interface PartInputProps {
  readonly described: { readonly id: string; readonly "aria-describedby": string };
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** A list or a message within the request, as JSON. It counts once it can be read. */
function PartInput({ described, value, onChange }: PartInputProps) {
  const [typed, setTyped] = useState(() => (value === undefined ? "" : JSON.stringify(value, null, 2)));
  const [isWrong, setWrong] = useState(false);
  return (
    <>
      <textarea
        {...described}
        className="code"
        rows={Math.min(12, Math.max(2, typed.split("\n").length))}
        spellCheck={false}
        aria-invalid={isWrong || undefined}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          try {
            onChange(target.value.trim() === "" ? undefined : JSON.parse(target.value));
            setWrong(false);
          } catch {
            setWrong(true);
          }
        }}
      />
      <p className="field-error" role="alert" hidden={!isWrong}>
        {t("request.invalid")}
      </p>
    </>
  );
}
