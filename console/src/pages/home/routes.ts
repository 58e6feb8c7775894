import type { PageRoute } from "../../page-route.ts";

export const homePages: readonly PageRoute[] = [{ path: "/", load: async () => (await import("./home.tsx")).HomePage }];
