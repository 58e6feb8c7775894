import type { Random } from "../../base/random.ts";
import { generateSecret, type Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import { type AddProviderDeps, addProvider } from "./add-provider.ts";
import type { MessageProvider, ProviderChannel } from "./message-provider.ts";

export interface AddHttpProviderDeps extends AddProviderDeps {
  readonly random: Random;
}

/** Adds an HTTP endpoint as an inactive provider, with a new key that signs its calls. */
export async function addHttpProvider(
  deps: AddHttpProviderDeps,
  call: Call,
  input: { readonly channel: ProviderChannel; readonly endpoint: string; readonly description: string },
): Promise<{ readonly provider: MessageProvider; readonly signingKey: Secret }> {
  const { channel, endpoint, description } = input;
  const signingKey = generateSecret(deps.random);
  const configuration = { kind: "http", endpoint } as const;
  const provider = await addProvider(deps, call, { channel, description, configuration, secret: signingKey });
  return { provider, signingKey };
}
