import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import type { IconName } from "./icon.tsx";
import { ErrorNotice } from "./notice.tsx";
import { tell } from "./toast.tsx";

interface ActionButtonProps {
  readonly run: () => Promise<unknown>;
  /** What is told when it was done. */
  readonly done: string;
  readonly look?: "primary" | "secondary" | "quiet";
  readonly icon?: IconName;
  /** Why it cannot be done, as the tip of the button. */
  readonly disabledReason?: string | undefined;
  readonly children: ReactNode;
}

/** A button that does something at once, for what can be taken back. A refusal is shown below it. */
export function ActionButton({ run, done, disabledReason, children, ...rest }: ActionButtonProps) {
  const mutation = useMutation({ mutationFn: run, onSuccess: () => tell(done) });
  return (
    <>
      <Button {...rest} isBusy={mutation.isPending} disabledReason={disabledReason} onClick={() => mutation.mutate()}>
        {children}
      </Button>
      {mutation.isError && <ErrorNotice error={mutation.error} />}
    </>
  );
}
