import { useState } from "react";
import { useAddress } from "../../address.ts";
import { pageSize } from "../../parts/table.tsx";

/** The tokens of the pages beside one; empty where there is none. */
interface Neighbors {
  readonly nextPageToken: string;
  readonly previousPageToken: string;
}

/**
 * Turns the pages of a list by their tokens, so that a page in the middle of a million rows takes no longer than the
 * first. `list` says what is listed and in which order. A page that only the address knows has no token, and is read by
 * its offset.
 */
export function usePages(list: string) {
  const { page, setPage } = useAddress();
  const [turned, setTurned] = useState({ list: "", page: 0, token: "" });
  return {
    pageToken: turned.list === list && turned.page === page ? turned.token : "",
    pagingOf: (shown: Neighbors | undefined) => ({
      page,
      pageSize,
      isLast: shown?.nextPageToken === "",
      onPage: (next: number) => {
        const token = next > page ? shown?.nextPageToken : shown?.previousPageToken;
        // The first page has no row before it, even if rows were added there.
        setTurned({ list, page: next, token: next === 0 ? "" : (token ?? "") });
        setPage(next);
      },
    }),
  };
}
