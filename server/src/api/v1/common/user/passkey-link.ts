import { type Call, requireCaller } from "../../../../call/index.ts";
import type { OpeningDeps } from "../../../../domain/contact/index.ts";
import type { FactorDeps } from "../../../../domain/factor/index.ts";
import type { OriginOf } from "../../../../domain/instance/index.ts";
import { type CreatePasskeyLink, createPasskeyLink, toPasskeyLink } from "../../../../domain/webauthn-key/index.ts";
import { toDuration, toObjectDetails } from "../../../contract/index.ts";

export type PasskeyLinkDeps = FactorDeps & OpeningDeps & { readonly basePort: string; readonly originOf: OriginOf };

type LinkOf = Pick<CreatePasskeyLink, "userId" | "isSelfAllowed">;

export async function addLink(deps: PasskeyLinkDeps, call: Call, input: LinkOf) {
  const { user, details, code } = await createPasskeyLink(deps, call, { ...input, delivery: { by: "return" } });
  if (code === undefined) throw new Error("a code that was to be returned is missing");
  const link = toPasskeyLink(await deps.originOf(call.instanceId), user, code);
  return { details: toObjectDetails(details), link, expiration: toDuration(code.lifetimeSeconds) };
}

export async function sendLink(deps: PasskeyLinkDeps, call: Call, input: LinkOf) {
  const { details } = await createPasskeyLink(deps, call, { ...input, delivery: { by: "message" } });
  return { details: toObjectDetails(details) };
}

export const ofCaller = (call: Call) => ({ userId: requireCaller(call).userId });
