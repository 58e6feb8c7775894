import type { DescMethod, DescMethodUnary } from "@bufbuild/protobuf";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { type ApiCall, levelOf } from "./call.ts";

const reads = /^(?:Get|List|Search|Explain|Count|Is|Find)/;
// Services that the shell around each page calls: about the user, for its search, and for saved views.
const ofShell = /\.(?:AuthService|SearchService|SavedViewService)$/;
const mostPages = 20;
const mostCalls = 30;

/** Reads of each page, by its address. */
const pages = new Map<string, Map<string, ApiCall>>();

let capture: ((call: ApiCall) => void) | undefined;

const address = (): string => `${location.pathname}?${new URLSearchParams(location.search).get("org") ?? ""}`;

/** Remembers what each page reads, so that it can be shown as calls. */
export const rememberCalls =
  (organizationOf: (headers: Headers) => string | undefined): Interceptor =>
  (next) =>
  async (request) => {
    if (request.stream) return next(request);
    const call = {
      method: unary(request.method),
      input: request.message,
      organizationId: organizationOf(request.header),
    };
    if (!reads.test(request.method.name)) {
      if (capture === undefined) return next(request);
      capture(call);
      throw new ConnectError("shown, not sent", Code.Canceled);
    }
    const page = address();
    const response = await next(request);
    if (!response.stream && !ofShell.test(request.service.typeName))
      remember(page, { ...call, output: response.message });
    return response;
  };

const unary = (method: DescMethod): DescMethodUnary => method as DescMethodUnary;

function remember(page: string, call: ApiCall): void {
  const calls = pages.get(page) ?? new Map<string, ApiCall>();
  // The newest page is last. Calls stay where the first of their kind was.
  pages.delete(page);
  pages.set(page, calls);
  calls.set(keyOf(call), call);
  for (const [oldest] of [...pages].slice(0, -mostPages)) pages.delete(oldest);
  for (const [oldest] of [...calls].slice(0, -mostCalls)) calls.delete(oldest);
}

// One call of a method for each page and filter would be a long list: the last one is enough, at each level.
const keyOf = (call: ApiCall): string =>
  `${call.method.parent.typeName}/${call.method.name} ${levelOf(call)?.case ?? ""}`;

/** Returns what the present page has read, the last call of each method; what the shell has read with it comes last. */
export function callsOfPage(): readonly ApiCall[] {
  const calls = [...(pages.get(address())?.values() ?? [])];
  const isLookup = (call: ApiCall): boolean =>
    isForNames(call) && !location.pathname.startsWith("/ui/console/organizations/");
  return [...calls.filter((call) => !isLookup(call)), ...calls.filter(isLookup)];
}

// The shell shows the name of the organization that the pages are about, and lists those of their rows.
function isForNames({ method, input }: ApiCall): boolean {
  const { queries } = input as { readonly queries?: readonly { readonly query?: { readonly case?: string } }[] };
  return method.name === "ListOrganizations" && /^(?:id|inIds)Query$/.test(queries?.[0]?.query?.case ?? "");
}

/**
 * Returns the change that a function would make, without making it: while it runs, no change is sent. Undefined when it
 * makes none. The function changes by the connection of the API and in no other way, and its first change stands alone:
 * what it would begin beside it could still be sent.
 */
export async function captureChange(run: () => Promise<unknown>): Promise<ApiCall | undefined> {
  const found: ApiCall[] = [];
  capture = (call) => found.push(call);
  try {
    await run();
  } catch (error) {
    if (found.length === 0) throw error;
  } finally {
    capture = undefined;
  }
  return found[0];
}
