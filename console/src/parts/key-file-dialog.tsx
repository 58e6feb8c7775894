import { useState } from "react";
import { t } from "../text/catalogue.ts";
import { Button } from "./button.tsx";
import { SecretDialog } from "./secret-dialog.tsx";

interface KeyFileDialogProps {
  readonly keyId: string;
  /** The file with the private key, which the server does not keep. */
  readonly content: Uint8Array;
  readonly onClose: () => void;
}

/** Offers the file of a new key, once. */
export function KeyFileDialog({ keyId, content, onClose }: KeyFileDialogProps) {
  const [isSaved, setSaved] = useState(false);
  const save = () => {
    const address = URL.createObjectURL(new Blob([content as Uint8Array<ArrayBuffer>]));
    const link = document.createElement("a");
    link.href = address;
    link.download = `${keyId}.json`;
    link.click();
    URL.revokeObjectURL(address);
    setSaved(true);
  };
  return (
    <SecretDialog
      title={t("user.keys.added")}
      values={[[t("user.keys.id"), keyId]]}
      onClose={onClose}
      isUnsaved={!isSaved}
    >
      <p>{t("user.keys.file")}</p>
      <p>
        <Button onClick={save}>{t("user.keys.save")}</Button>
      </p>
    </SecretDialog>
  );
}
