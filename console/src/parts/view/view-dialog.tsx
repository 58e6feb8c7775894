import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { SavedViewService } from "@doorward/api/service/saved_view/v2/saved_view_service_pb";
import { useForm } from "react-hook-form";
import { useAddress } from "../../address.ts";
import { useRefresh } from "../../api/refresh.ts";
import { type ListView, wireLists } from "../../api/saved-views.ts";
import type { ListName } from "../../lists.ts";
import { t } from "../../text/catalogue.ts";
import { DangerDialog } from "../danger-dialog.tsx";
import { Field } from "../form.tsx";
import { FormDialog } from "../form-dialog.tsx";

interface ViewDialogProps {
  readonly about: "save" | "rename" | "delete";
  readonly list: ListName;
  /** What the address says to filter and sort the list. */
  readonly filters: string;
  /** The view that is open. */
  readonly view: ListView | undefined;
  readonly onClose: () => void;
}

/** Asks for the name of a new view, for another name of the open one, or whether to delete it. */
export function ViewDialog({ about, list, filters, view, onClose }: ViewDialogProps) {
  const { search, setSearch } = useAddress();
  const client = createClient(SavedViewService, useTransport());
  const refresh = useRefresh();
  const form = useForm({ defaultValues: { name: about === "rename" ? (view?.name ?? "") : "" } });
  const id = view?.id ?? "";
  // The list stays where it is: the filters are the same.
  const show = (view: string) => setSearch({ page: search["page"] ?? "", view });
  if (about === "delete") {
    return (
      <DangerDialog
        title={`${t("view.delete")}: ${view?.name}`}
        consequences={[t("view.deleteConsequence")]}
        action={t("view.delete")}
        onConfirm={async () => {
          await client.deleteSavedView({ id });
          await refresh(SavedViewService);
          show("");
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title={t(`view.${about}`)}
      action={t("common.save")}
      form={form}
      done={t("view.saved")}
      onClose={onClose}
      onSave={async (values) => {
        const name = values.name.trim();
        const saved =
          about === "save"
            ? await client.createSavedView({ list: wireLists[list], name, search: filters })
            : await client.updateSavedView({ id, name });
        await refresh(SavedViewService);
        show(saved.view?.id ?? id);
      }}
    >
      {about === "save" && <p className="muted">{t("view.saveLead")}</p>}
      <Field name="name" label={t("user.name")} isRequired maxLength={100} />
    </FormDialog>
  );
}
