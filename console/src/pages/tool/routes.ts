import type { PageRoute } from "../../page-route.ts";

export const toolPages: readonly PageRoute[] = [];
