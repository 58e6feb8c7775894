import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import type { IconName } from "./icon.tsx";

interface DialogButtonProps {
  /** The dialog that the button opens. It calls `close` when it is done. */
  readonly dialog: (close: () => void) => ReactNode;
  readonly look?: "primary" | "secondary" | "danger" | "quiet";
  readonly icon?: IconName;
  readonly disabledReason?: string | undefined;
  readonly children: ReactNode;
}

/** A button that opens a dialog. */
export function DialogButton({ dialog, children, ...rest }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...rest} onClick={() => setOpen(true)}>
        {children}
      </Button>
      {isOpen && dialog(() => setOpen(false))}
    </>
  );
}
