import type { EventType } from "../names.ts";

/**
 * A name by which clients of the interface know some events of a type: those whose payload, as JSON, contains a
 * fragment (`holds`), or whose aggregate's id begins with a text (`within`). Text in a payload cannot imitate a
 * fragment, because JSON escapes its quotation marks.
 */
export interface NamedPart {
  readonly name: string;
  readonly holds?: string;
  readonly within?: string;
}

/**
 * What the interface calls our events, by type. The first name that an event has is the one that is shown; the others
 * are accepted as well. A type that is absent has the same name there, or none.
 */
export type OriginalNames = { readonly [Type in EventType]?: readonly (string | NamedPart)[] };
