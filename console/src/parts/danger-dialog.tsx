import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { captureChange } from "../api/calls.ts";
import { t } from "../text/catalogue.ts";
import { ApiButton } from "./api-button.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorNotice, Notice } from "./notice.tsx";

interface DangerDialogProps {
  readonly title: string;
  /** What is lost or stops working, one sentence each. */
  readonly consequences: readonly string[];
  /** Verb of the button, such as "Delete user". */
  readonly action: string;
  /** Primary where the user only has to know what follows, such as a message that is sent. */
  readonly look?: "danger" | "primary";
  /** Has to be typed before the button works, for what cannot be undone. */
  readonly nameToType?: string;
  /** Why the button does not work at all. */
  readonly obstacle?: string | undefined;
  /** Changes by the connection of the API first: it also runs to show what would be sent (`captureChange`). */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

const changeOf = (onConfirm: () => Promise<unknown>) => async () => {
  const change = await captureChange(onConfirm);
  return change === undefined ? [] : [change];
};

/** Asks before something that cannot be taken back or that locks users out. Every such action uses it. */
export function DangerDialog(props: DangerDialogProps) {
  const { title, consequences, action, look = "danger", nameToType, obstacle, onConfirm, onClose, children } = props;
  const [typed, setTyped] = useState("");
  const mutation = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const isReady = obstacle === undefined && (nameToType === undefined || typed.trim() === nameToType);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <ApiButton calls={changeOf(onConfirm)} />
          <Button look={look} disabled={!isReady} isBusy={mutation.isPending} onClick={() => mutation.mutate()}>
            {action}
          </Button>
        </>
      }
    >
      {obstacle !== undefined && <Notice kind="error">{obstacle}</Notice>}
      {mutation.isError && <ErrorNotice error={mutation.error} />}
      <ul className="consequences">
        {consequences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {children}
      {nameToType !== undefined && (
        <label className="field">
          <span className="label">{t("danger.typeName", { name: nameToType })}</span>
          <input
            value={typed}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
      )}
    </Dialog>
  );
}
