import { Fault } from "../../base/fault.ts";

/**
 * Runs work whose refusals name fields of operations, and renames these as in the request. An empty name means that the
 * field's parts lie directly in the request.
 */
export async function withFields<Result>(
  fields: Readonly<Record<string, string>>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Fault) || error.field === undefined) throw error;
    const field = rename(fields, error.field);
    if (field === error.field) throw error;
    const named = field === "" ? {} : { field };
    throw new Fault(error.code, error.id, { ...named, values: error.values, cause: error.cause });
  }
}

function rename(fields: Readonly<Record<string, string>>, field: string): string {
  const whole = fields[field];
  if (whole !== undefined && whole !== "") return whole;
  const [first = "", ...rest] = field.split(".");
  const renamed = fields[first];
  if (renamed === undefined) return field;
  return [renamed, ...rest].filter((name) => name !== "").join(".");
}
