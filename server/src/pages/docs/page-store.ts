import type { WebResponse } from "../../web/index.ts";

/** A page that is the same for every reader. */
export interface StoredPage {
  readonly response: WebResponse;
  readonly etag: string;
}

/** Keeps pages by address, the latest ones, up to a sum of their lengths. */
interface PageStore {
  find(address: string): StoredPage | undefined;
  keep(address: string, page: StoredPage): void;
}

export function createPageStore(mostCharacters: number): PageStore {
  const pages = new Map<string, StoredPage>();
  let sum = 0;
  const lengthOf = (page: StoredPage): number => page.response.body?.length ?? 0;
  return {
    find: (address) => pages.get(address),
    keep: (address, page) => {
      if (pages.has(address)) return;
      pages.set(address, page);
      sum += lengthOf(page);
      for (const [oldest, stored] of pages) {
        if (sum <= mostCharacters) break;
        pages.delete(oldest);
        sum -= lengthOf(stored);
      }
    },
  };
}
