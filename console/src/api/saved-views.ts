import { useQuery } from "@connectrpc/connect-query";
import { type SavedView, SavedViewList } from "@doorward/api/service/saved_view/v2/saved_view_pb";
import { SavedViewService } from "@doorward/api/service/saved_view/v2/saved_view_service_pb";
import { type ListName, lists, readFilters, type Search } from "../lists.ts";

/** The lists of the console as the contract calls them. */
export const wireLists: Readonly<Record<ListName, SavedViewList>> = {
  users: SavedViewList.USERS,
  groups: SavedViewList.GROUPS,
  organizations: SavedViewList.ORGANIZATIONS,
  projects: SavedViewList.PROJECTS,
  applications: SavedViewList.APPLICATIONS,
  administrators: SavedViewList.ADMINISTRATORS,
  events: SavedViewList.EVENTS,
  attempts: SavedViewList.SIGN_IN_ATTEMPTS,
  jobs: SavedViewList.JOBS,
};

const names = Object.keys(wireLists) as readonly ListName[];

/** A view of a list that the console has. */
export interface ListView {
  readonly id: string;
  readonly name: string;
  readonly list: ListName;
  /** What the list takes of the query that was saved, written in one order. */
  readonly filters: string;
}

/** How long what was read of views is shown without reading it again: the user alone changes them. */
export const viewsStaleTime = 60_000;

/** Returns the views of a user by their names. What was saved is read as any address: the list takes what it knows. */
export const readViews = (views: readonly SavedView[]): readonly ListView[] =>
  views
    .flatMap(({ id, name, list: wire, search }) => {
      const list = names.find((each) => wireLists[each] === wire);
      if (list === undefined) return [];
      return [{ id, name, list, filters: writeFilters(list, Object.fromEntries(new URLSearchParams(search))) }];
    })
    .toSorted((a, b) => a.name.localeCompare(b.name));

/** Writes what a search says to filter and sort a list, as a query. */
export const writeFilters = (list: ListName, search: Search): string =>
  new URLSearchParams(readFilters(list, search)).toString();

/** Returns the address of a view: that of its list, whatever was saved. The pages stay with their organization. */
export const addressOfView = ({ id, list, filters }: ListView): string =>
  `${lists[list].path}?${[filters, new URLSearchParams({ view: id }).toString()].filter(Boolean).join("&")}`;

/** The views that the user saved of a list. */
export function useViews(list: ListName): readonly ListView[] {
  const found = useQuery(SavedViewService.method.listSavedViews, {}, { staleTime: viewsStaleTime });
  return readViews(found.data?.views ?? []).filter((view) => view.list === list);
}
