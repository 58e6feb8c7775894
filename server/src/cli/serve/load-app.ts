import { flushCompileCache } from "node:module";
import { keepYoungHeapSmall } from "./young-heap.ts";

// Each stage loads most of the layers to its left in ARCHITECTURE.md, and about as much as every other stage.
const stages = [
  () => import("../../database/index.ts"),
  () => import("../../domain/user/index.ts"),
  () => import("../../domain/session/index.ts"),
  () => import("../../domain/sign-up/index.ts"),
  () => import("../../domain/deletion/index.ts"),
  () => import("../../oauth/index.ts"),
  () => import("../../pages/index.ts"),
];

/**
 * Loads the server in stages. Node keeps all that it reads from its compile cache (6 MB in thousands of pieces) until
 * it is told to write the cache. What one stage gives back then, the next one uses; loaded at once, an idle server
 * would hold it for good.
 */
export async function loadApp(): Promise<typeof import("../../app.ts")> {
  keepYoungHeapSmall();
  for (const load of stages) {
    await load();
    flushCompileCache();
  }
  return import("../../app.ts");
}
