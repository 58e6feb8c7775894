import { lazy } from "../../base/lazy.ts";
import { lateHandler, type WebRoute } from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";
import { type PageAt, pageRoutes, shownAt, submittedTo } from "./handlers.ts";

/** The addresses of pages that are loaded when one of them is asked for. */
export interface LatePages {
  readonly load: () => Promise<readonly PageAt[]>;
  /** Pages that are shown. */
  readonly shown: readonly string[];
  /** Addresses that take forms, with what differs from other forms. */
  readonly submitted: readonly (string | (Pick<PageAt, "rateLimit" | "fileField"> & { readonly path: string }))[];
}

/** Returns routes that load the pages behind them with the first request. */
export function latePageRoutes(deps: PageDeps, { load, shown, submitted }: LatePages): WebRoute[] {
  const loaded = lazy(async () => (await load()).flatMap((page) => pageRoutes(deps, page)));
  const handlerOf = (method: string, path: string) =>
    lateHandler(async () => {
      const route = (await loaded()).find((one) => one.path === path && one.methods.includes(method));
      if (route === undefined) throw new Error(`no page takes ${method} ${path}`);
      return route.handler;
    });
  return [
    ...shown.map((path) => shownAt(path, handlerOf("GET", path))),
    ...submitted.map((form) => {
      const page = typeof form === "string" ? { path: form } : form;
      return submittedTo(page.path, handlerOf("POST", page.path), page);
    }),
  ];
}
