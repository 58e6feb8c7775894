import { isRecord, JsonError, parseJson } from "../../base/json.ts";
import { type Outbound, OutboundError, type OutboundRequest } from "../../base/outbound/index.ts";
import { ProviderRefused } from "./provider-refused.ts";

/** An answer of a provider: a JSON document, or undefined when it was none. */
export interface JsonAnswer {
  readonly status: number;
  readonly document: unknown;
}

/** Asks a provider for JSON. Throws `ProviderRefused` when there is no answer. */
export async function fetchJson(outbound: Outbound, request: OutboundRequest): Promise<JsonAnswer> {
  try {
    const headers = { accept: "application/json", ...request.headers };
    const { status, body } = await outbound({ maximumBytes: 262_144, ...request, headers });
    return { status, document: parseOrNothing(body) };
  } catch (error) {
    if (error instanceof OutboundError) throw new ProviderRefused("unreachable", error.failure);
    throw error;
  }
}

/** Asks a provider for one JSON object, which must come with status 200. */
export async function fetchObject(outbound: Outbound, request: OutboundRequest): Promise<Record<string, unknown>> {
  const { status, document } = await fetchJson(outbound, request);
  if (status !== 200) throw new ProviderRefused("unreachable", `status ${status}`);
  if (!isRecord(document)) throw new ProviderRefused("answer_malformed");
  return document;
}

function parseOrNothing(body: string): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
