import type { TestClient } from "../../support/oidc/oidc.ts";
import type { Target } from "./workload.ts";

/** Everything that came of one code, as far as the server acknowledged it. */
export interface Family {
  readonly client: TestClient;
  readonly code: string;
  readonly codeVerifier: string;
  readonly codeMade: number;
  /** `tokens` after the code was redeemed; `dead` after its refresh token was revoked or something was used twice. */
  state: "code" | "tokens" | "dead";
  readonly access: { readonly token: string; isRevoked: boolean }[];
  refreshToken: string;
  /** Refresh tokens that were used with success. */
  readonly spent: string[];
  attempted?: Attempt;
}

type Attempt = "redeem" | "refresh" | "revoke family" | { readonly revoked: string };

/** A code lives for a minute, and a slow machine may take longer over a round. */
export const isStale = ({ codeMade }: Family): boolean => Date.now() - codeMade > 45_000;

/** Takes what the token endpoint gave as acknowledged. */
export function keep(family: Family, answer: { readonly access_token: string; readonly refresh_token: string }): void {
  if (family.state === "tokens") family.spent.push(family.refreshToken);
  family.state = "tokens";
  family.access.push({ token: answer.access_token, isRevoked: false });
  family.refreshToken = answer.refresh_token;
  delete family.attempted;
}

export const sendCode = ({ form }: Target, { client, code, codeVerifier }: Family) =>
  form(
    "/oauth/v2/token",
    {
      grant_type: "authorization_code",
      redirect_uri: client.redirectUri,
      code,
      code_verifier: codeVerifier,
    },
    client.basic,
  );

export const sendRefresh = ({ form }: Target, { client }: Family, refreshToken: string) =>
  form("/oauth/v2/token", { grant_type: "refresh_token", refresh_token: refreshToken }, client.basic);
