import { seconds } from "../base/clock.ts";
import { isRecord, JsonError, parseJson } from "../base/json.ts";
import type { Secret } from "../base/secret.ts";
import { type ApiClient, ApiRefusal } from "./api-call.ts";
import { CommandError } from "./command-error.ts";

/** Address of a server, and the token to call it with, which is asked for before each call. */
export interface ApiAccess {
  readonly url: string;
  readonly token: () => Promise<Secret>;
}

/** Thrown when no server answers. */
export class ServerUnreachable extends CommandError {}

/** Creates a client of the API over Connect JSON. */
export function createApiClient({ url, token }: ApiAccess): ApiClient {
  return async (method, message) => {
    const response = await reach(`${url}/service.${method}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${(await token()).reveal()}`,
        "content-type": "application/json",
        "connect-protocol-version": "1",
      },
      body: JSON.stringify(message),
    });
    const answer = await readJson(response);
    if (response.ok) return answer;
    const code = typeof answer["code"] === "string" ? answer["code"] : `HTTP ${response.status}`;
    const said = typeof answer["message"] === "string" ? answer["message"] : `the server at ${url} answered ${code}`;
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
    throw new ApiRefusal(said, { code, id: slugOf(answer), retryAfter: Number.isNaN(seconds) ? undefined : seconds });
  };
}

function slugOf(answer: Readonly<Record<string, unknown>>): string {
  const [first] = Array.isArray(answer["details"]) ? (answer["details"] as unknown[]) : [];
  const debug = isRecord(first) ? first["debug"] : undefined;
  return isRecord(debug) && typeof debug["id"] === "string" ? debug["id"] : "";
}

/**
 * `fetch` with a timeout and with failures that say what to do. Redirects are not followed, so that the token reaches
 * no other server.
 */
export async function reach(url: string, options: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(seconds(15)), ...options });
  } catch (error) {
    const { origin } = new URL(url);
    throw new ServerUnreachable(`${origin} does not answer (${reasonOf(error)})`, {
      fix: "start the server, or specify its address with --server",
      cause: error,
    });
  }
}

/** Returns the object in a response, or an empty one. */
export async function readJson(response: Response): Promise<Readonly<Record<string, unknown>>> {
  try {
    const body: unknown = parseJson(await response.text());
    return isRecord(body) ? body : {};
  } catch (error) {
    if (error instanceof JsonError) return {};
    throw error;
  }
}

/** Returns why `fetch` failed, which it hides behind "fetch failed". */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const first = cause instanceof AggregateError ? cause.errors[0] : cause;
  return first instanceof Error ? first.message : String(first);
}
