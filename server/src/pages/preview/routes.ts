import { lateHandler, type WebRoute } from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";

/** Returns the routes of previews, which are loaded with the first one. */
export const previewRoutes = (deps: PageDeps): WebRoute[] => [
  {
    methods: ["GET"],
    path: "/ui/preview",
    protocol: "page",
    handler: lateHandler(async () => (await import("./handler.ts")).showPreview(deps)),
  },
  {
    methods: ["GET"],
    path: "/ui/preview/style",
    protocol: "page",
    handler: lateHandler(async () => (await import("./handler.ts")).showPreviewStyle(deps)),
  },
];
