import type { PageRoute } from "../../page-route.ts";

export const activityPages: readonly PageRoute[] = [];
