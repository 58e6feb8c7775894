import { createHash } from "node:crypto";
import { Fault } from "../../base/fault.ts";
import type { IdentityProvider } from "./identity-provider.ts";

/** Returns the name of what administrators decide of a provider, apart from its state. */
export function etagOfProvider({ name, options, configuration, sealedSecret }: IdentityProvider): string {
  const facts = JSON.stringify([name, options, configuration, sealedSecret]);
  return createHash("sha256").update(facts).digest("base64url");
}

/** Refuses a provider that is another than the caller read. */
export function refuseOtherProvider(provider: IdentityProvider, etag: string | undefined): void {
  if (etag === undefined || etag === etagOfProvider(provider)) return;
  throw new Fault("failed_precondition", "identity_provider.changed", { field: "etag" });
}
