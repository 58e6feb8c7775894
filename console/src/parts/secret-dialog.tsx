import type { ReactNode } from "react";
import { t } from "../text/catalogue.ts";
import { Button } from "./button.tsx";
import { Copyable } from "./copyable.tsx";
import { Dialog } from "./dialog.tsx";
import { Notice } from "./notice.tsx";

interface SecretDialogProps {
  readonly title: string;
  /** Names and values; those that are secret cannot be read again. */
  readonly values: readonly (readonly [name: string, value: string])[];
  readonly onClose: () => void;
  /** Whether something has to be saved first. */
  readonly isUnsaved?: boolean;
  readonly children?: ReactNode;
}

/** Shows what the server says only once, such as a new secret. */
export const SecretDialog = ({ title, values, onClose, isUnsaved = false, children }: SecretDialogProps) => (
  <Dialog
    title={title}
    onClose={onClose}
    isKept={true}
    actions={
      <Button look="primary" disabledReason={isUnsaved ? t("secret.once") : undefined} onClick={onClose}>
        {t("secret.done")}
      </Button>
    }
  >
    <Notice kind="warning">{t("secret.once")}</Notice>
    {values.map(([name, value]) => (
      <div key={name} className="field">
        <span className="label">{name}</span>
        <Copyable value={value} label={name} />
      </div>
    ))}
    {children}
  </Dialog>
);
