import type { Language } from "../../base/language.ts";
import type { EventType } from "../../event/index.ts";
import type { Texts } from "../../text/index.ts";

/** Keys of `texts/<language>/events.json`, read from the English catalogue by the compiler. */
type EventKey = keyof typeof import("../../../texts/en/events.json", { with: { type: "json" }});

type AggregateOf<Type extends string> = Type extends `${infer Aggregate}.${string}` ? Aggregate : never;

// If a new type of event fails to compile here, add its names to texts/<language>/events.json.
type NamedEvent = `event.${EventType}` extends EventKey ? string : never;
type NamedAggregate = `aggregate.${AggregateOf<EventType>}` extends EventKey ? string : never;

/** A name in a language, with the key that clients know. */
export interface LocalizedName {
  readonly key: string;
  readonly localizedMessage: string;
}

/** Returns the name of a type of event. A type of an older version has no name and is shown as it is. */
export function nameEventType(texts: Pick<Texts, "translate">, language: Language, type: NamedEvent): LocalizedName {
  return { key: `EventTypes.${type}`, localizedMessage: nameOf(texts, language, "event", type) };
}

/** Returns the name of a kind of record. */
export function nameAggregateType(
  texts: Pick<Texts, "translate">,
  language: Language,
  type: NamedAggregate,
): LocalizedName {
  return { key: `AggregateTypes.${type}`, localizedMessage: nameOf(texts, language, "aggregate", type) };
}

function nameOf(
  texts: Pick<Texts, "translate">,
  language: Language,
  area: "event" | "aggregate",
  type: string,
): string {
  const key = `${area}.${type}`;
  const name = texts.translate(language, key);
  return name === key ? type : name;
}
