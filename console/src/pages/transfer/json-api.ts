import { type ApiClient, ApiRefusal } from "../../../../server/src/cli/api-call.ts";
import type { Session } from "../../session/session.ts";
import { t } from "../../text/catalogue.ts";

// Refusals that mean "later"; without a code of the API, a proxy in between answered.
const passing = new Set([
  "resource_exhausted",
  "unavailable",
  "aborted",
  "deadline_exceeded",
  "HTTP 429",
  "HTTP 502",
  "HTTP 503",
  "HTTP 504",
]);

const firstPause = 500;
const longestPause = 30_000;
const patience = 5 * 60_000;

/**
 * Returns how an import calls the API: with JSON, as files have it, and with the token of the session. What the server
 * refuses for now is repeated after the time that it asks for, for five minutes. The signal ends all of it; without
 * `cutsCalls` a call that was sent is waited for, because the server may have done already what it asks.
 */
export const jsonApi =
  (session: Session, signal: AbortSignal, { cutsCalls = true }: { readonly cutsCalls?: boolean } = {}): ApiClient =>
  async (method, message) => {
    let waited = 0;
    for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
      signal.throwIfAborted();
      try {
        return await send(session, cutsCalls ? signal : undefined, { method, message });
      } catch (error) {
        if (!(error instanceof ApiRefusal) || !passing.has(error.code)) throw error;
        const next = Math.max((error.retryAfter ?? 0) * 1000, pause);
        waited += next;
        if (waited > patience) throw error;
        await wait(next, signal);
      }
    }
  };

async function send(
  session: Session,
  signal: AbortSignal | undefined,
  { method, message }: { readonly method: string; readonly message: object },
): Promise<Readonly<Record<string, unknown>>> {
  const response = await answerTo(
    session.fetch(`${location.origin}/service.${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", "accept-language": document.documentElement.lang },
      body: JSON.stringify(message),
      ...(signal !== undefined && { signal }),
    }),
    signal,
  );
  const answer = recordOf(await response.json().catch(() => undefined));
  if (response.ok) return answer;
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  throw new ApiRefusal(textOf(answer["message"]) || `HTTP ${response.status}`, {
    code: textOf(answer["code"]) || `HTTP ${response.status}`,
    id: slugOf(answer),
    retryAfter: Number.isNaN(retryAfter) ? undefined : retryAfter,
  });
}

/** A server that does not answer is one that may answer later. */
async function answerTo(sent: Promise<Response>, signal: AbortSignal | undefined): Promise<Response> {
  try {
    return await sent;
  } catch (error) {
    if (signal?.aborted === true || !(error instanceof TypeError)) throw error;
    throw new ApiRefusal(t("problem.unreachable"), { code: "unavailable", id: "", retryAfter: undefined });
  }
}

function slugOf(answer: Readonly<Record<string, unknown>>): string {
  const details = answer["details"];
  const [first] = Array.isArray(details) ? (details as unknown[]) : [];
  return textOf(recordOf(recordOf(first)["debug"])["id"]);
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

const wait = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end, { once: true });
  });
