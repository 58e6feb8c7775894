export type { HitKind } from "./hit.ts";
export { type SearchResult, search } from "./search.ts";
