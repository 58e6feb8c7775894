import type { PageRoute } from "../../page-route.ts";

export const userPages: readonly PageRoute[] = [];
