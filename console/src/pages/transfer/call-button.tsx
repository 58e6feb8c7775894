import { useQuery } from "@tanstack/react-query";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogButton } from "../../parts/dialog-button.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { useOrganizationId } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { CodeDialog } from "../tool/code-dialog.tsx";
import { readMethod } from "../tool/contract.ts";

interface CallButtonProps {
  /** `service.user.v2.UserService/CreateUser`. */
  readonly method: string;
  readonly body: object;
}

/** Shows a call that a page makes with JSON, as code; placeholders stand for secrets. */
export const CallButton = (props: CallButtonProps) => (
  <DialogButton look="quiet" icon="code" dialog={(close) => <CallDialog {...props} onClose={close} />}>
    {t("api.title")}
  </DialogButton>
);

function CallDialog({ method, body, onClose }: CallButtonProps & { readonly onClose: () => void }) {
  const organizationId = useOrganizationId();
  const { data, error } = useQuery({
    queryKey: ["method-document", method],
    queryFn: async () => (await readMethod(method)) ?? null,
  });
  if (data) {
    return <CodeDialog request={{ document: data, body: { ...body }, organizationId }} onClose={onClose} />;
  }
  return (
    <Dialog title={t("api.title")} onClose={onClose} actions={<Button onClick={onClose}>{t("common.close")}</Button>}>
      {error ? <ErrorNotice error={error} /> : <span className="skeleton" />}
    </Dialog>
  );
}
