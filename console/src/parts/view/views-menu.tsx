import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { SavedViewService } from "@doorward/api/service/saved_view/v2/saved_view_service_pb";
import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useAddress } from "../../address.ts";
import { problemOf } from "../../api/problem.ts";
import { useRefresh } from "../../api/refresh.ts";
import { addressOfView, type ListView, useViews, writeFilters } from "../../api/saved-views.ts";
import { type ListName, lists } from "../../lists.ts";
import { t } from "../../text/catalogue.ts";
import { Icon } from "../icon.tsx";
import { Menu } from "../menu.tsx";
import { tell } from "../toast.tsx";

const ViewDialog = lazy(async () => ({ default: (await import("./view-dialog.tsx")).ViewDialog }));

/** The views that the user saved of a list: opens them, and saves the filters and the sorting of the address as one. */
export function ViewsMenu({ list }: { readonly list: ListName }) {
  const { search, go } = useAddress();
  const [asked, setAsked] = useState<"save" | "rename" | "delete">();
  const views = useViews(list);
  // The id in the address may be that of a view of another user, or of a deleted one: then none is open.
  const open = views.find(({ id }) => id === search["view"]);
  const filters = writeFilters(list, search);
  const isChanged = open !== undefined && open.filters !== filters;
  const update = useUpdate(open, filters);
  const name = isChanged ? t("view.changed", { name: open.name }) : open?.name;
  const label = name === undefined ? t("view.title") : `${t("view.title")}: ${name}`;
  const ofOpen = [
    ...(isChanged ? [{ label: t("view.update"), onSelect: update }] : []),
    { label: t("view.rename"), onSelect: () => setAsked("rename") },
    { label: t("view.delete"), isDanger: true, onSelect: () => setAsked("delete") },
  ];
  return (
    <>
      <Menu
        label={label}
        look="secondary"
        items={[
          ...views.map((view) => ({
            id: view.id,
            label: view.name,
            isChosen: view === open,
            onSelect: () => go(addressOfView(view)),
          })),
          { label: t("view.save"), isApart: views.length > 0, onSelect: () => setAsked("save") },
          ...(open === undefined ? [] : ofOpen),
          ...(filters === "" && open === undefined
            ? []
            : [{ label: t("user.list.clear"), isApart: true, onSelect: () => go(lists[list].path) }]),
        ]}
      >
        <bdi className="view-name" aria-hidden="true" title={name}>
          {open?.name ?? t("view.title")}
        </bdi>
        {isChanged && <span aria-hidden="true">•</span>}
        <Icon name="down" />
      </Menu>
      {asked && (
        <Suspense fallback={null}>
          <ViewDialog about={asked} list={list} filters={filters} view={open} onClose={() => setAsked(undefined)} />
        </Suspense>
      )}
    </>
  );
}

/** Returns what saves the filters of the address in the view that is open. */
function useUpdate(view: ListView | undefined, search: string): () => void {
  const client = createClient(SavedViewService, useTransport());
  const refresh = useRefresh();
  const update = useMutation({
    mutationFn: () => client.updateSavedView({ id: view?.id ?? "", search }),
    onSuccess: () => tell(t("view.saved")),
    onError: (error) => tell(problemOf(error).message),
    // Also after a refusal: the view may have been deleted elsewhere.
    onSettled: () => refresh(SavedViewService),
  });
  return () => update.mutate();
}
