import { readFileSync } from "node:fs";
import type { ErrorReference } from "../../api/index.ts";
import type { FaultCode } from "../../base/fault.ts";
import { statusOf } from "../status.ts";

/** What methods can be refused with, found in their code by `npm run docs:methods`. */
export interface MethodErrors {
  /** What any method can be refused with. */
  readonly general: readonly ErrorReference[];
  /** Returns what a method alone can be refused with, by its full name. */
  of(method: string): readonly ErrorReference[];
}

interface Stored {
  /** `<code> <id>` */
  readonly errors: readonly string[];
  readonly general: readonly number[];
  readonly methods: Readonly<Record<string, readonly number[]>>;
}

/** Reads the errors of all methods. */
export function loadMethodErrors(): MethodErrors {
  const text = readFileSync(new URL("method-errors.json", import.meta.url), "utf8");
  const stored = JSON.parse(text) as Stored;
  const errors = stored.errors.map((error): ErrorReference => {
    const [code = "", id = ""] = error.split(" ");
    return { code, id, status: statusOf[code as FaultCode].http };
  });
  const read = (positions: readonly number[]): ErrorReference[] => positions.flatMap((one) => errors[one] ?? []);
  const byMethod = new Map(Object.entries(stored.methods));
  return { general: read(stored.general), of: (method) => read(byMethod.get(method) ?? []) };
}
