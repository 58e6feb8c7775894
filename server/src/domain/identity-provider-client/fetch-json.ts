import { isRecord, JsonError, parseJson } from "../../base/json.ts";
import { type Outbound, OutboundError, type OutboundRequest } from "../../base/outbound/index.ts";
import { ProviderRefused } from "./provider-refused.ts";

/** A response of a provider: a JSON document, or undefined when it is not JSON. */
export interface JsonAnswer {
  readonly status: number;
  readonly document: unknown;
}

export interface TextAnswer {
  readonly status: number;
  /** Lower case, without parameters; empty when absent. */
  readonly mediaType: string;
  readonly body: string;
}

/** Sends a request to a provider. Throws `ProviderRefused` when there is no response. */
export async function fetchText(outbound: Outbound, request: OutboundRequest): Promise<TextAnswer> {
  try {
    const { status, body, header } = await outbound({ maximumBytes: 262_144, ...request });
    const [mediaType = ""] = (header("content-type") ?? "").split(";", 1);
    return { status, mediaType: mediaType.trim().toLowerCase(), body };
  } catch (error) {
    if (error instanceof OutboundError) throw new ProviderRefused("unreachable", error.shownFailure);
    throw error;
  }
}

/** Requests JSON from a provider. Throws `ProviderRefused` when there is no response. */
export async function fetchJson(outbound: Outbound, request: OutboundRequest): Promise<JsonAnswer> {
  const headers = { accept: "application/json", ...request.headers };
  const { status, body } = await fetchText(outbound, { ...request, headers });
  return { status, document: parseOrNothing(body) };
}

/** Requests a JSON object from a provider; the status must be 200. */
export async function fetchObject(outbound: Outbound, request: OutboundRequest): Promise<Record<string, unknown>> {
  const { status, document } = await fetchJson(outbound, request);
  if (status !== 200) throw new ProviderRefused("unreachable", `status ${status}`);
  return asObject(document);
}

/** Reads a response as a JSON object. Throws `ProviderRefused` for anything else. */
export const readObject = (body: string): Record<string, unknown> => asObject(parseOrNothing(body));

function asObject(document: unknown): Record<string, unknown> {
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
