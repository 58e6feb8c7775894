import type { PageRoute } from "../../page-route.ts";

export const organizationPages: readonly PageRoute[] = [];
