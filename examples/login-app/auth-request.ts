import { type Call, Refusal } from "./api.ts";
import { Dead } from "./http.ts";
import type { AuthRequest } from "./server-words.ts";

export const over = "This sign-in has been finished or is too old.";

/** The request that an attempt answers. */
export async function readAuthRequest(call: Call, authRequestId: string): Promise<AuthRequest> {
  try {
    const { authRequest } = await call<{ authRequest: AuthRequest }>("oidc.v2.OIDCService/GetAuthRequest", {
      authRequestId,
    });
    return authRequest;
  } catch (error) {
    if (error instanceof Refusal) throw new Dead(over);
    throw error;
  }
}
