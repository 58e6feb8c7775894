import { Fault } from "../base/fault.ts";

/**
 * Returns the fault behind a message of protobuf-es, which names the field as `cannot decode field
 * service.user.v2.X.user_id from JSON: …`: a field of the wrong type, or a message of another form.
 */
export function wrongType(message: string, cause?: unknown): Fault {
  const name = /field (?:[\w.]+\.)?(\w+) from JSON/.exec(message)?.[1];
  if (name === undefined) return new Fault("invalid_argument", "request.wrong_form", { cause });
  const field = name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
  return new Fault("invalid_argument", "field.wrong_type", { field, values: { field }, cause });
}
