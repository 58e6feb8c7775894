import { organizationHeader } from "../../api/call.ts";
import type { Session } from "../../session/session.ts";

/** What the server answered to a request, whether it was refused or not. */
export interface Answer {
  readonly status: number;
  readonly milliseconds: number;
  /** Headers that say something about the answer. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

const shownHeaders = ["content-type", "x-request-id", "warning", "retry-after", "www-authenticate"];
const longestBody = 200_000;

/** Calls a method with JSON (Connect), with the token of the session. */
export async function sendRequest(
  session: Session,
  { method, body, organizationId }: Record<"method" | "body", string> & { readonly organizationId: string | undefined },
): Promise<Answer> {
  const headers = new Headers({ "content-type": "application/json" });
  headers.set("accept-language", document.documentElement.lang);
  if (organizationId !== undefined && method.includes(".v1.")) headers.set(organizationHeader, organizationId);
  const begun = performance.now();
  const response = await session.fetch(`${location.origin}/${method}`, { method: "POST", headers, body });
  const text = await response.text();
  return {
    status: response.status,
    milliseconds: Math.round(performance.now() - begun),
    headers: shownHeaders.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
    body: arranged(text).slice(0, longestBody),
  };
}

function arranged(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
