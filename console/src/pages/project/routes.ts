import type { PageRoute } from "../../page-route.ts";

export const projectPages: readonly PageRoute[] = [];
