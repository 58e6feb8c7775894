import { createHook } from "node:async_hooks";
import type { Ending } from "../databases/databases.ts";

/** Counts the key pairs that this process generates in the thread pool. */
export interface KeyPairCount {
  begun: number;
  mostAtOnce: number;
}

/** Begins to count. The runtime is asked, so no key pair is missed, whichever code generates it. */
export function countKeyPairs(t: Ending): KeyPairCount {
  const count = { begun: 0, mostAtOnce: 0 };
  const running = new Set<number>();
  const hook = createHook({
    init(id, type) {
      if (type !== "KEYPAIRGENREQUEST") return;
      running.add(id);
      count.begun++;
      count.mostAtOnce = Math.max(count.mostAtOnce, running.size);
    },
    before: (id) => void running.delete(id),
  });
  hook.enable();
  t.after(() => void hook.disable());
  return count;
}
