import type { PageRoute } from "../../page-route.ts";

export const settingsPages: readonly PageRoute[] = [];
