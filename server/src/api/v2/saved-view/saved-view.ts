import type { MessageInitShape } from "@bufbuild/protobuf";
import { type SavedViewSchema, SavedViewList as WireList } from "@doorward/api/service/saved_view/v2/saved_view_pb";
import { SavedViewService } from "@doorward/api/service/saved_view/v2/saved_view_service_pb";
import { Fault } from "../../../base/fault.ts";
import type { IdGenerator } from "../../../base/id.ts";
import type { Database } from "../../../database/index.ts";
import {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  type SavedView,
  updateSavedView,
  type ViewedList,
} from "../../../domain/saved-view/index.ts";
import { type Binding, bind, toPage, toPagination, toTimestamp } from "../../contract/index.ts";

/** SavedViewService. */
export const savedViewMethods = (deps: { readonly database: Database; readonly newId: IdGenerator }): Binding =>
  bind(SavedViewService, {
    createSavedView: async (call, { list, name, search }) => ({
      view: toMessage(await createSavedView(deps, call, { list: readList(list), name, search })),
    }),
    listSavedViews: async (call, { pagination }) => {
      const { page, isDescending } = toPage(pagination);
      const { rows, total } = await listSavedViews(deps, call, { page, isDescending });
      return { views: rows.map(toMessage), pagination: toPagination(total, page) };
    },
    updateSavedView: async (call, { id: viewId, name, search }) => {
      const change = { viewId, ...(name !== undefined && { name }), ...(search !== undefined && { search }) };
      return { view: toMessage(await updateSavedView(deps, call, change)) };
    },
    deleteSavedView: async (call, { id: viewId }) =>
      (await deleteSavedView(deps, call, { viewId })) ? { deletionDate: toTimestamp(call.now) } : {},
  });

const lists: Readonly<Record<ViewedList, WireList>> = {
  users: WireList.USERS,
  groups: WireList.GROUPS,
  organizations: WireList.ORGANIZATIONS,
  projects: WireList.PROJECTS,
  applications: WireList.APPLICATIONS,
  administrators: WireList.ADMINISTRATORS,
  events: WireList.EVENTS,
  sign_in_attempts: WireList.SIGN_IN_ATTEMPTS,
  jobs: WireList.JOBS,
};

const listsOfWire = new Map(Object.entries(lists).map(([list, wire]) => [wire, list as ViewedList]));

const unknownList = { field: "list", values: { field: "list" } } as const;

function readList(list: WireList): ViewedList {
  const known = listsOfWire.get(list);
  // The contract has refused others.
  if (known === undefined) throw new Fault("invalid_argument", "field.unknown_value", unknownList);
  return known;
}

const toMessage = (view: SavedView): MessageInitShape<typeof SavedViewSchema> => ({
  id: view.viewId,
  list: lists[view.list],
  name: view.name,
  search: view.search,
  creationDate: toTimestamp(view.createdAt),
  changeDate: toTimestamp(view.changedAt),
});
