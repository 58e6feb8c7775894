import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

/** What the address of the page says, and how to change it. */
export interface Address {
  /** The parts of the path that vary, by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly search: Readonly<Record<string, string | undefined>>;
  /** Zero for the first page of a list. */
  readonly page: number;
  /** Changes parameters of the address; an empty text removes one. A list begins again with its first page. */
  setSearch(changes: Readonly<Record<string, string>>): void;
  setPage(page: number): void;
  go(path: string): void;
}

/** Returns the address of the present page. Filters are in it, so that a page can be sent to a colleague. */
export function useAddress(): Address {
  const params = useParams({ strict: false }) as Readonly<Record<string, string>>;
  const search = useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>;
  const navigate = useNavigate();
  const change = useCallback(
    (changes: Readonly<Record<string, string>>) =>
      void navigate({
        to: ".",
        replace: true,
        search: (former: Record<string, unknown>) => ({ ...former, ...changes }),
      } as never),
    [navigate],
  );
  const setSearch = useCallback(
    (changes: Readonly<Record<string, string>>) => change({ page: "", ...changes }),
    [change],
  );
  const page = Math.max(0, Math.trunc(Number(search["page"] ?? 1)) - 1 || 0);
  return {
    params,
    search,
    page,
    setSearch,
    setPage: (next) => change({ page: next === 0 ? "" : String(next + 1) }),
    go: (path) => void navigate(linkTo(path) as never),
  };
}

/** Returns what a `Link` or the router needs for an address of the console, which can have parameters after `?`. */
export function linkTo(path: string): { readonly to: "/"; readonly search?: never } {
  const [to = "/", parameters] = path.split("?", 2);
  const search = parameters === undefined ? {} : { search: Object.fromEntries(new URLSearchParams(parameters)) };
  return { to, ...search } as unknown as { readonly to: "/" };
}

/**
 * Returns by which column a list is sorted, from the parameter `sort` of the address: the key of a column, after `-`
 * when it is descending.
 */
export function useSorting(usual: string): {
  readonly by: string;
  readonly isDescending: boolean;
  onSort(by: string, isDescending: boolean): void;
} {
  const { search, setSearch } = useAddress();
  const sort = search["sort"] ?? usual;
  const isDescending = sort.startsWith("-");
  return {
    by: isDescending ? sort.slice(1) : sort,
    isDescending,
    onSort: (by, isDescending) => {
      const next = isDescending ? `-${by}` : by;
      setSearch({ sort: next === usual ? "" : next });
    },
  };
}
