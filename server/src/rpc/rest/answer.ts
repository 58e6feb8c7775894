import type { Call } from "../../call/index.ts";
import type { WebRequest, WebResponse } from "../../web/index.ts";
import { admitAgain, type IncomingCall } from "../admit.ts";
import { type ChallengeDeps, challengesOf, nonceHeader, stepUpChallenge } from "../challenges.ts";
import type { InvokeDeps } from "../invoke.ts";
import { callInWord, type Namespace } from "../namespace.ts";
import { type ChangedSettings, type RefusalDeps, toRefusal } from "../refusal.ts";
import { statusOf } from "../status.ts";
import { credentialsOf } from "./credentials.ts";
import { writeFieldMask } from "./well-known.ts";

export interface RestDeps extends InvokeDeps, RefusalDeps, ChallengeDeps {
  readonly namespace: Namespace;
}

/** Returns the value of the organization header, and the word in its name. */
function readOrganizationHeader(
  namespace: Namespace,
  request: WebRequest,
): { value: string | undefined; word: string } {
  for (const { name, word } of namespace.organizationHeaders) {
    const value = request.header(name);
    if (value !== undefined && value !== "") return { value, word };
  }
  return { value: undefined, word: "service" };
}

/** What a handler does in turn, so that no body is read before the caller is known. */
interface Admission<Body> {
  /** Asked again when the body took long. */
  admit(incoming: IncomingCall): Promise<Call>;
  /** Reads the body. Refusals of the port pass through. */
  read(): Promise<Body>;
  answer(call: Call, body: Body, incoming: IncomingCall): Promise<WebResponse>;
}

/** Answers a request of a caller, with the refusals of REST. */
export async function answerCaller<Body>(
  deps: RestDeps,
  request: WebRequest,
  { admit, read, answer }: Admission<Body>,
): Promise<WebResponse> {
  const nonce = nonceHeader(deps, request.call, request.header("dpop"));
  const finish = ({ headers, ...answered }: WebResponse): WebResponse => ({
    ...answered,
    headers: { ...headers, ...nonce },
  });
  const refused = async (error: unknown): Promise<WebResponse> => finish(await refuse(deps, error, request));
  const { value: organizationId, word } = readOrganizationHeader(deps.namespace, request);
  const incoming = { call: callInWord(request.call, word), credentials: credentialsOf(request, organizationId) };
  let call: Call;
  try {
    call = await admit(incoming);
  } catch (error) {
    return refused(error);
  }
  const admittedAt = deps.clock();
  const body = await read();
  try {
    const again = admitAgain(deps, incoming, admittedAt);
    return finish(await answer(again === undefined ? call : await admit(again), body, incoming));
  } catch (error) {
    return refused(error);
  }
}

/** Formats a refusal for REST: numeric gRPC code, sentence, and one detail with the stable slug. */
async function refuse(deps: RestDeps, error: unknown, request: WebRequest): Promise<WebResponse> {
  const { word } = readOrganizationHeader(deps.namespace, request);
  const refusal = toRefusal(deps, error, request.call);
  request.call.note?.({ errorId: refusal.id });
  const { grpc, http } = statusOf[refusal.code];
  const body = restError({ ...refusal, code: grpc, word });
  if (refusal.retryAfter !== undefined) {
    return { ...json(http, body), headers: { ...jsonHeaders, "retry-after": String(refusal.retryAfter) } };
  }
  const stepUp = stepUpChallenge(refusal.id);
  if (stepUp !== undefined) return { ...json(http, body), headers: { ...jsonHeaders, "www-authenticate": stepUp } };
  if (http !== 401) return json(http, body);
  const challenges = await challengesOf(deps, request.call, refusal.id);
  return { ...json(http, body), headers: { ...jsonHeaders, "www-authenticate": challenges } };
}

/** Returns the body of a REST error. */
export function restError(error: {
  readonly code: number;
  readonly message: string;
  readonly id: string;
  readonly word: string;
  readonly field?: string | undefined;
  readonly failedAttempts?: number | undefined;
  readonly changed?: ChangedSettings | undefined;
}): object {
  const { code, message, id, word, field, failedAttempts, changed } = error;
  const type = `type.googleapis.com/${word}.v1`;
  if (changed !== undefined) {
    const { fields, changedAt, changedBy, etag } = changed;
    const changeDate = new Date(changedAt).toISOString();
    const rest = { changedFields: writeFieldMask(fields), changeDate, ...(changedBy !== "" && { changedBy }), etag };
    return { code, message, details: [{ "@type": `${type}.SettingsChangedError`, id, message, ...rest }] };
  }
  const detail =
    failedAttempts === undefined
      ? { "@type": `${type}.ErrorDetail`, id, message, ...(field !== undefined && { field }) }
      : { "@type": `${type}.CredentialsCheckError`, id, message, failedAttempts };
  return { code, message, details: [detail] };
}

export const jsonHeaders = {
  "content-type": "application/json",
  "cache-control": "no-store",
  pragma: "no-cache",
  "x-robots-tag": "none",
  "x-content-type-options": "nosniff",
} as const;

/** Returns an answer in JSON. */
export function json(status: number, body: unknown): WebResponse {
  return { status, headers: jsonHeaders, body: JSON.stringify(body) };
}
