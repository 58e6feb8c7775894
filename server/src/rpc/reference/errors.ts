import { readFileSync } from "node:fs";

/** What methods can be refused with, as `<code> <id>`, found in their code by `npm run docs:methods`. */
export interface MethodErrors {
  /** What any method can be refused with. */
  readonly general: readonly string[];
  /** Returns what a method alone can be refused with, by its full name. */
  of(method: string): readonly string[];
}

interface Stored {
  readonly errors: readonly string[];
  readonly general: readonly number[];
  readonly methods: Readonly<Record<string, readonly number[]>>;
}

/** Reads the errors of all methods. */
export function loadMethodErrors(): MethodErrors {
  const text = readFileSync(new URL("method-errors.json", import.meta.url), "utf8");
  const { errors, general, methods } = JSON.parse(text) as Stored;
  const read = (positions: readonly number[]): string[] => positions.flatMap((position) => errors[position] ?? []);
  const byMethod = new Map(Object.entries(methods));
  return { general: read(general), of: (method) => read(byMethod.get(method) ?? []) };
}
