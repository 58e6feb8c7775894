import type { TestContext } from "node:test";

/** A time that passes only when the test says so. */
export interface VirtualTime {
  clock(): number;
  /** Lets so many milliseconds pass, with everything that happens in them. */
  pass(milliseconds: number): Promise<void>;
}

const step = 50;
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Takes over the timers of the test. */
export function virtualTime(t: TestContext): VirtualTime {
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  let now = 1_000_000;
  return {
    clock: () => now,
    pass: async (milliseconds) => {
      for (const until = now + milliseconds; now < until; ) {
        await settle();
        now += step;
        t.mock.timers.tick(step);
      }
      await settle();
    },
  };
}
