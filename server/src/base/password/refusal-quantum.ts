const step = 100;
const longest = 6400;

/** Returns the step of milliseconds (100, 200, 400 …) that something of so many milliseconds surely fits in. */
export function roundUpToStep(milliseconds: number): number {
  if (milliseconds <= 0) return 0;
  const steps = 2 ** Math.ceil(Math.log2(Math.max(1, milliseconds / step)));
  return Math.min(longest, steps * step);
}

/**
 * Returns how long to wait after so many milliseconds, so that all of them end at a multiple of the quantum: what was
 * done before within one quantum cannot be told from its end.
 */
export const restOfQuantum = (elapsed: number, quantum: number): number =>
  quantum <= 0 ? 0 : quantum * Math.max(1, Math.ceil(elapsed / quantum)) - elapsed;
