const firstStepMilliseconds = 100;
const longestStepMilliseconds = 6400;

/** Returns the shortest step (100, 200, 400 … 6400 ms) that is not shorter than a duration; 0 for none. */
export function roundUpToStep(milliseconds: number): number {
  if (milliseconds <= 0) return 0;
  const steps = 2 ** Math.ceil(Math.log2(Math.max(1, milliseconds / firstStepMilliseconds)));
  return Math.min(longestStepMilliseconds, steps * firstStepMilliseconds);
}

/**
 * Returns how many milliseconds to wait after a duration so that the total is a multiple of the quantum. The response
 * time then reveals only the number of quanta.
 */
export const restOfQuantum = (elapsed: number, quantum: number): number =>
  quantum <= 0 ? 0 : quantum * Math.max(1, Math.ceil(elapsed / quantum)) - elapsed;
