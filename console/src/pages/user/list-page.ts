import { useState } from "react";

const pageSize = 20;

/** The page of a short list beside others on the same page, where the address has only room for one. */
export function useListPage() {
  const [page, setPage] = useState(0);
  return {
    pagination: { offset: BigInt(page * pageSize), limit: pageSize },
    paging: { page, pageSize, onPage: setPage },
  };
}
