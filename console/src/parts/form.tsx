import { useMutation } from "@tanstack/react-query";
import { useBlocker } from "@tanstack/react-router";
import {
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { type FieldValues, FormProvider, type Path, type UseFormReturn, useFormContext } from "react-hook-form";
import { captureChange } from "../api/calls.ts";
import { problemOf } from "../api/problem.ts";
import { t } from "../text/catalogue.ts";
import { ApiButton } from "./api-button.tsx";
import { Button } from "./button.tsx";
import { ErrorNotice } from "./notice.tsx";
import { tell } from "./toast.tsx";

interface FormProps<Values extends FieldValues> {
  readonly form: UseFormReturn<Values>;
  /** Changes by the connection of the API alone: it also runs to show what would be sent (`captureChange`). */
  readonly onSave: (values: Values) => Promise<unknown>;
  /** Verb of the button; "Save" by default. */
  readonly action?: string;
  /** What is told when it was saved. Left out where the page changes anyway. */
  readonly done?: string;
  /** What the fields hold once it was saved, where that is not what was typed. */
  readonly afterwards?: (values: Values) => Values;
  /** Why nothing can be changed here. The fields are shown and cannot be edited. */
  readonly readOnlyReason?: string | undefined;
  /** Beside the button that saves. */
  readonly more?: ReactNode;
  readonly children: ReactNode;
}

/**
 * A form that is saved by its button and never by itself. Leaving it with unsaved changes asks first. A refusal of the
 * server is shown at the field that it names, or else above the fields, and gets the focus; nothing that was typed is
 * lost.
 */
export function Form<Values extends FieldValues>(props: FormProps<Values>) {
  const { form, onSave, action = t("common.save"), done, afterwards, readOnlyReason, more, children } = props;
  const summary = useRef<HTMLDivElement>(null);
  const element = useRef<HTMLFormElement>(null);
  const [isAtField, setAtField] = useState(false);
  const mutation = useMutation({
    mutationFn: onSave,
    onSuccess: (_, values) => {
      form.reset(afterwards ? afterwards(values) : values);
      if (done !== undefined) tell(done);
    },
    onError: (error) => {
      const refused = refusedField(error, element.current);
      setAtField(refused !== undefined);
      if (refused === undefined) return void requestAnimationFrame(() => summary.current?.focus());
      form.setError(refused.name as Path<Values>, { type: "server", message: refused.message });
      requestAnimationFrame(() => refused.input.focus());
    },
  });
  const isDirty = form.formState.isDirty && !mutation.isPending;
  useUnsavedGuard(isDirty);
  const isReadOnly = readOnlyReason !== undefined;
  const changeOfForm = async () => {
    if (!(await form.trigger(undefined, { shouldFocus: true }))) return undefined;
    const change = await captureChange(() => onSave(form.getValues()));
    return change === undefined ? [] : [change];
  };
  return (
    <FormProvider {...form}>
      <form
        ref={element}
        className="form"
        noValidate
        onKeyDown={sendByKeys}
        onSubmit={(event) => {
          event.stopPropagation();
          void form.handleSubmit((values) => mutation.mutateAsync(values).catch(() => {}))(event);
        }}
      >
        <div ref={summary} tabIndex={-1}>
          {mutation.isError && !isAtField && <ErrorNotice error={mutation.error} />}
        </div>
        {isReadOnly && <p className="read-only">{readOnlyReason}</p>}
        <fieldset disabled={isReadOnly}>{children}</fieldset>
        {!isReadOnly && (
          <div className="form-actions">
            <Button type="submit" look="primary" isBusy={mutation.isPending} aria-keyshortcuts="Control+Enter">
              {action}
            </Button>
            {more}
            <ApiButton calls={changeOfForm} />
          </div>
        )}
      </form>
    </FormProvider>
  );
}

/** Ctrl or Cmd with Enter sends a form from any field, also where Enter alone begins a line or chooses. */
function sendByKeys(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  // A dialog is inside the form that opened it.
  event.stopPropagation();
  event.currentTarget.requestSubmit();
}

/** Returns the input that a refusal names, if the form shows it, and what is said there. */
function refusedField(error: unknown, form: HTMLFormElement | null) {
  const { field = "", message } = problemOf(error);
  // An entry of a list is shown by the field of the list.
  const name = field.replace(/\[\d+\]$/, "");
  const input = [...(form?.elements ?? [])].find((one) => one.getAttribute("name") === name);
  if (name === "" || !(input instanceof HTMLElement)) return undefined;
  return { name, input, message: message.replace(` (${field})`, "") };
}

function useUnsavedGuard(isDirty: boolean): void {
  const dirty = useRef(isDirty);
  useEffect(() => {
    dirty.current = isDirty;
  }, [isDirty]);
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      dirty.current && current.pathname !== next.pathname && !confirm(t("form.unsaved")),
    enableBeforeUnload: () => dirty.current,
  });
}

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "name"> {
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly isRequired?: boolean;
  /** An empty field has a value that its placeholder shows, so nothing says that it may be empty. */
  readonly hasUsual?: boolean;
  /** Returns what is wrong with a value, or undefined. */
  readonly check?: (value: string) => string | undefined;
}

/** Label, hint and error of one field, tied together for assistive technology. */
function useField(name: string, isRequired: boolean, check: FieldProps["check"]) {
  const id = useId();
  const { register, formState } = useFormContext();
  const error = name
    .split(".")
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], formState.errors) as
    | { readonly message?: string }
    | undefined;
  const attributes = register(name as Path<FieldValues>, {
    ...(isRequired && { required: t("form.required") }),
    ...(check && { validate: (value: string) => check(value) ?? true }),
  });
  return {
    id,
    error: error?.message,
    attributes: {
      ...attributes,
      id,
      "aria-invalid": error ? true : undefined,
      "aria-describedby": `${id}-hint ${id}-error`,
    },
  };
}

const Frame = (props: {
  readonly id: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly isRequired?: boolean;
  readonly hasUsual?: boolean;
  readonly children: ReactNode;
}) => (
  <div className="field">
    <label className="label" htmlFor={props.id}>
      {props.label}
      {!props.isRequired && !props.hasUsual && <span className="muted"> {t("form.optional")}</span>}
    </label>
    {props.children}
    <p className="hint" id={`${props.id}-hint`} hidden={!props.hint}>
      {props.hint}
    </p>
    <p className="field-error" id={`${props.id}-error`} hidden={props.error === undefined}>
      {props.error}
    </p>
  </div>
);

/** A field for one line of text. */
export function Field({ name, label, hint, isRequired = false, hasUsual = false, check, ...rest }: FieldProps) {
  const { id, error, attributes } = useField(name, isRequired, check);
  return (
    <Frame id={id} label={label} hint={hint} error={error} isRequired={isRequired} hasUsual={hasUsual}>
      <input type="text" autoComplete="off" {...rest} {...attributes} required={isRequired} />
    </Frame>
  );
}

/** A field for several lines, such as addresses, one on each line. */
export function TextField(props: FieldProps & { readonly rows?: number; readonly isCode?: boolean }) {
  const { name, label, hint, isRequired = false, hasUsual = false, check, rows = 4, placeholder, lang, dir } = props;
  const { id, error, attributes } = useField(name, isRequired, check);
  return (
    <Frame id={id} label={label} hint={hint} error={error} isRequired={isRequired} hasUsual={hasUsual}>
      <textarea
        rows={rows}
        spellCheck={false}
        placeholder={placeholder}
        lang={lang}
        dir={dir}
        {...attributes}
        required={isRequired}
        className={props.isCode ? "code" : undefined}
      />
    </Frame>
  );
}

/** A choice among few values. Many values need a `Picker`, which searches on the server. */
export function SelectField(
  props: Pick<FieldProps, "name" | "label" | "hint"> & {
    readonly options: readonly (readonly [value: string, label: string])[];
  },
) {
  const { id, error, attributes } = useField(props.name, false, undefined);
  return (
    <Frame id={id} label={props.label} hint={props.hint} error={error} isRequired>
      <select {...attributes}>
        {props.options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Frame>
  );
}

interface CheckFieldProps extends Pick<FieldProps, "name" | "label" | "hint"> {
  /** Why this field alone cannot be changed; shown instead of the hint. */
  readonly disabledReason?: string | undefined;
}

/** A choice between yes and no. */
export function CheckField({ name, label, hint, disabledReason }: CheckFieldProps) {
  const { id, error, attributes } = useField(name, false, undefined);
  const text = disabledReason ?? hint;
  return (
    <div className="field check">
      <input type="checkbox" {...attributes} disabled={disabledReason !== undefined} />
      <label htmlFor={id}>{label}</label>
      <p className="hint" id={`${id}-hint`} hidden={!text}>
        {text}
      </p>
      <p className="field-error" id={`${id}-error`} hidden={error === undefined}>
        {error}
      </p>
    </div>
  );
}
