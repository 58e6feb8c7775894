import assert from "node:assert/strict";
import { Fault } from "../../../src/base/fault.ts";

/** Requires that the work is refused with this cause, and optionally with this field. */
export async function refused(work: Promise<unknown>, id: string, field?: string): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof Fault, `not a fault: ${String(error)}`);
    assert.equal(error.id, id);
    if (field !== undefined) assert.equal(error.field, field);
    return true;
  });
}

/** How an operation ended: `ok`, or the code of its refusal. */
export async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "ok";
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
}
