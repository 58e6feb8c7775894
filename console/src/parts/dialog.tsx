import { type ReactNode, useEffect, useId, useRef } from "react";
import { t } from "../text/catalogue.ts";
import { IconButton } from "./button.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons; the primary one last. */
  readonly actions?: ReactNode;
  /** Whether only one of its buttons closes it, because what it shows is lost then. */
  readonly isKept?: boolean;
}

/**
 * A modal dialog, which is open as long as it is rendered. It is the element of HTML: the browser keeps the focus
 * inside, closes it with Escape and gives the focus back.
 */
export function Dialog({ title, onClose, children, actions, isKept = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // The first field, or else the first of the buttons, which never is the one that destroys something.
    dialog?.querySelector<HTMLElement>(".dialog-body :is(input, select, textarea), footer button")?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!isKept) onClose();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {!isKept && <IconButton icon="close" label={t("common.close")} onClick={onClose} />}
      </header>
      <div className="dialog-body">{children}</div>
      {actions && <footer>{actions}</footer>}
    </dialog>
  );
}
