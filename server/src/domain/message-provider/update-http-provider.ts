import type { Random } from "../../base/random.ts";
import { generateSecret, type Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { MessageProvider, ProviderChannel } from "./message-provider.ts";
import { type UpdateProviderDeps, updateProvider } from "./update-provider.ts";

export interface HttpProviderUpdate {
  readonly channel: ProviderChannel;
  readonly providerId: string;
  readonly endpoint: string;
  readonly description: string;
  /** Generates a new signing key; the present one is no longer used. */
  readonly rotatesKey: boolean;
}

/** Changes an HTTP provider. Returns the signing key if a new one was generated. */
export async function updateHttpProvider(
  deps: UpdateProviderDeps & { readonly random: Random },
  call: Call,
  input: HttpProviderUpdate,
): Promise<{ readonly provider: MessageProvider; readonly signingKey: Secret | undefined }> {
  const { channel, providerId, endpoint, description } = input;
  const signingKey = input.rotatesKey ? generateSecret(deps.random) : undefined;
  const provider = await updateProvider(deps, call, {
    channel,
    providerId,
    description,
    kind: "http",
    configure: () => ({ configuration: { kind: "http", endpoint }, secret: signingKey }),
  });
  return { provider, signingKey };
}
