import type { PageRoute } from "../../page-route.ts";

export const applicationPages: readonly PageRoute[] = [];
