import type { ServiceName } from "@doorward/api/services";

/** A message as JSON, with enumerations as numbers. */
export type Json = Readonly<Record<string, unknown>>;

/** How a message differs from the one of version 2. */
export interface MessageForm {
  /** Fields with another name in version 2, by their name here; `left out`: version 2 needs no such field. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Rebuilds a message of a request whose fields have the names of version 2. */
  readonly toCurrent?: (message: Json) => Json;
  /** Rebuilds a message of a response of version 2, before its fields get the names of here. */
  readonly fromCurrent?: (message: Json, request: Json) => Json;
}

/** How a service differs from the one of version 2. */
export interface ServiceForm {
  /** The service of version 2. */
  readonly of: ServiceName;
  /** Methods with another name in version 2, by their name here. */
  readonly methods?: Readonly<Record<string, string>>;
  /** Messages that differ, by their full name without the namespace word. */
  readonly messages?: Readonly<Record<string, MessageForm>>;
}

/** The name of a field of a request that version 2 does not need. */
export const leftOut = "";

/** Fields of a message under other names, without further differences. */
export const renamed = (fields: Readonly<Record<string, string>>): MessageForm => ({ fields });

/** Returns a member that is a message; an empty one when it is absent. */
export const memberOf = (message: Json, name: string): Json => (message[name] ?? {}) as Json;

/** Returns a member that is a list; an empty one when it is absent. */
export const listOf = (message: Json, name: string): readonly Json[] => (message[name] ?? []) as readonly Json[];
