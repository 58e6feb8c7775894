/** What the server refused, by the slug that names the cause (`user.password_wrong`). */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly id: string;

  constructor(id: string, message: string) {
    super(message);
    this.id = id;
  }
}

/**
 * Calls a method: `call("session.v2.SessionService/GetSession", { sessionId })`. Throws a Refusal for what the server
 * refuses.
 */
export type Call = <Answer>(method: string, message: object) => Promise<Answer>;

interface Failure {
  readonly message?: string;
  readonly details?: readonly { readonly debug?: { readonly id?: string } }[];
}

/**
 * The interface of a server, with the token of a service account that has the role IAM_LOGIN_CLIENT. The token never
 * leaves this process.
 */
export function createApi({ issuer, token }: { readonly issuer: string; readonly token: string }): Call {
  return async <Answer>(method: string, message: object) => {
    // Connect (https://connectrpc.com/docs/protocol): a method is a POST with a JSON body.
    const response = await fetch(new URL(`/service.${method}`, issuer), {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "connect-protocol-version": "1",
        "accept-language": "en",
      },
      body: JSON.stringify(message),
      redirect: "error",
      signal: AbortSignal.timeout(10_000),
    });
    const answer: unknown = await response.json();
    if (response.ok) return answer as Answer;
    const { message: text = "", details = [] } = answer as Failure;
    const id = details.find(({ debug }) => debug?.id !== undefined)?.debug?.id ?? "unknown";
    throw new Refusal(id, text);
  };
}
