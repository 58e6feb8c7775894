import type { ReactNode } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { Dialog } from "./dialog.tsx";
import { Form } from "./form.tsx";

interface FormDialogProps<Values extends FieldValues> {
  readonly title: string;
  readonly form: UseFormReturn<Values>;
  /** Verb of the button; the title by default. */
  readonly action?: string;
  /** What is told when it was saved. */
  readonly done?: string;
  readonly onSave: (values: Values) => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A form in a dialog, which closes once it is saved. */
export function FormDialog<Values extends FieldValues>(props: FormDialogProps<Values>) {
  const { title, form, action = title, done, onSave, onClose, children } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        form={form}
        action={action}
        {...(done !== undefined && { done })}
        onSave={async (values) => {
          await onSave(values);
          onClose();
        }}
      >
        {children}
      </Form>
    </Dialog>
  );
}
