import type { LatePages } from "../visit/late-pages.ts";

/** The addresses of the pages of setup links, which `pages.ts` has. */
export const setupLinkPages: LatePages = {
  load: async () => (await import("./pages.ts")).pages,
  shown: ["/ui/setup-link", "/ui/setup-link/tasks"],
  submitted: [
    "/ui/setup-link",
    "/ui/setup-link/domain",
    "/ui/setup-link/proof",
    "/ui/setup-link/check",
    "/ui/setup-link/oidc",
    { path: "/ui/setup-link/saml", fileField: "metadata" },
    "/ui/setup-link/offer",
    "/ui/setup-link/test",
    "/ui/setup-link/remove",
    "/ui/setup-link/finish",
  ],
};
