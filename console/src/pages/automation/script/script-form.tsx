import { useForm } from "react-hook-form";
import { CheckField, Field, Form, TextField } from "../../../parts/form.tsx";
import { useObstacle } from "../../../shell/access.ts";
import { t } from "../../../text/catalogue.ts";
import { TimeoutField } from "../timeout-field.tsx";

const longest = 20;
const mostBytes = 40_000;

/** A script as its form has it. */
export interface ScriptValues {
  name: string;
  script: string;
  timeout: string;
  allowedToFail: boolean;
}

interface ScriptFormProps {
  readonly values: ScriptValues;
  readonly action: string;
  readonly done?: string;
  readonly onSave: (script: ReturnType<typeof toScript>) => Promise<unknown>;
}

/** Name, text and rules of a script. */
export function ScriptForm({ values, action, done, onSave }: ScriptFormProps) {
  const form = useForm<ScriptValues>({ defaultValues: values });
  const name = form.watch("name").trim();
  return (
    <Form
      form={form}
      action={action}
      {...(done !== undefined && { done })}
      readOnlyReason={useObstacle("org.action.write")}
      onSave={(written) => onSave(toScript(written))}
    >
      <Field
        name="name"
        label={t("automation.name")}
        hint={t("automation.script.name.hint")}
        isRequired
        maxLength={200}
        spellCheck={false}
        check={(value) => (/^[\w$]+$/.test(value.trim()) ? undefined : t("automation.script.name.invalid"))}
      />
      <TextField
        name="script"
        label={t("automation.script.text")}
        hint={t("automation.script.text.hint")}
        rows={18}
        isRequired
        isCode
        check={(value) => checkText(value, name)}
      />
      <TimeoutField longest={longest} />
      <CheckField
        name="allowedToFail"
        label={t("automation.script.mayFail")}
        hint={t("automation.script.mayFail.hint")}
      />
    </Form>
  );
}

function checkText(text: string, name: string): string | undefined {
  if (new TextEncoder().encode(text).length > mostBytes) return t("automation.script.tooLong");
  return text.includes(name) ? undefined : t("automation.script.noFunction", { name });
}

function toScript({ name, script, timeout, allowedToFail }: ScriptValues) {
  const milliseconds = Math.round(Number(timeout) * 1000);
  const seconds = BigInt(Math.trunc(milliseconds / 1000));
  return {
    name: name.trim(),
    script,
    timeout: { seconds, nanos: (milliseconds % 1000) * 1_000_000 },
    allowedToFail,
  };
}
