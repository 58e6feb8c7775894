import { seconds } from "../base/clock.ts";
import { type DpopVerifier, proofAlgorithms } from "../bearer/index.ts";
import type { Call } from "../call/index.ts";
import { describeContext } from "../domain/session/index.ts";
import { freshForChange } from "../domain/user/index.ts";
import { endpointPaths } from "../web/index.ts";

export interface ChallengeDeps {
  readonly originOf: (instanceId: string) => Promise<string>;
  readonly dpop: DpopVerifier;
}

const proofErrors: Readonly<Record<string, string | undefined>> = {
  "authentication.dpop_proof_invalid": "invalid_dpop_proof",
  "authentication.dpop_nonce_needed": "use_dpop_nonce",
};

/**
 * Returns the challenge of a refusal because the sign-in is too old or too weak (RFC 9470 §3): an application that
 * sends the user through an authorization request with these parameters gets a token that is valid for the call.
 * Undefined for any other refusal.
 */
export const stepUpChallenge = (slug: string): string | undefined => (isStepUp(slug) ? stepUps[slug] : undefined);

const isStepUp = (slug: string): slug is keyof typeof stepUps => Object.hasOwn(stepUps, slug);

const twoFactors = describeContext(2) ?? "";
const insufficient = 'Bearer error="insufficient_user_authentication", error_description=';
const stepUps = {
  "authentication.too_old": `${insufficient}"The sign-in is too old", max_age="${freshForChange / seconds(1)}"`,
  "authentication.two_factors_needed": `${insufficient}"The sign-in had one factor", acr_values="${twoFactors}"`,
} as const;

/**
 * Returns the challenges of every 401 of our own APIs: the accepted token schemes (RFC 6750 §3, RFC 9449 §7.1), and the
 * address of the metadata for obtaining a token (RFC 9728 §5.1). `slug` is the cause of the refusal.
 */
export async function challengesOf(deps: ChallengeDeps, call: Call, slug: string): Promise<string[]> {
  const metadata = `resource_metadata="${(await deps.originOf(call.instanceId)) + endpointPaths.protectedResource}"`;
  const proofError = proofErrors[slug];
  const said = slug === "authentication.invalid_token" ? 'error="invalid_token", ' : "";
  return [
    `Bearer ${said}${metadata}`,
    `DPoP ${proofError === undefined ? "" : `error="${proofError}", `}algs="${proofAlgorithms.join(" ")}", ${metadata}`,
  ];
}

/** Returns the nonce for the next proof of callers that send proofs (RFC 9449 §8.2); nothing for others. */
export const nonceHeader = (
  { dpop }: ChallengeDeps,
  call: Call,
  proof: string | undefined,
): Readonly<Record<string, string>> => (proof === undefined ? {} : { "dpop-nonce": dpop.nonce(call) });
