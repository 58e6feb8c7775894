import type { ListQuery } from "@doorward/api/service/v1/query_pb";
import type { Call } from "../../../../call/index.ts";
import {
  type AddHttpProviderDeps,
  activateProvider,
  addHttpProvider,
  deactivateProvider,
  listProviders,
  type MessageProvider,
  type ProviderChannel,
  type ProviderKind,
  removeProvider,
  updateHttpProvider,
} from "../../../../domain/message-provider/index.ts";
import { toListDetailsV1, toObjectDetails, toPageV1 } from "../../../contract/index.ts";

interface Named {
  readonly id: string;
}

/** Creates the methods that all providers have, for those of a channel and of the given kinds. */
export function methodsOfProviders(
  deps: AddHttpProviderDeps,
  { channel, kinds }: { readonly channel: ProviderChannel; readonly kinds: readonly ProviderKind[] },
) {
  return {
    async list<Message>(call: Call, query: ListQuery | undefined, toMessage: (provider: MessageProvider) => Message) {
      const { rows, total } = await listProviders(deps, call, { channel, kinds, ...toPageV1(query) });
      return { details: toListDetailsV1(total, call.now), result: rows.map(toMessage) };
    },
    activate: async (call: Call, { id: providerId }: Named) => ({
      details: toObjectDetails(await activateProvider(deps, call, { channel, kinds, providerId })),
    }),
    deactivate: async (call: Call, { id: providerId }: Named) => ({
      details: toObjectDetails(await deactivateProvider(deps, call, { channel, kinds, providerId })),
    }),
    remove: async (call: Call, { id: providerId }: Named) => ({
      details: toObjectDetails(await removeProvider(deps, call, { channel, kinds, providerId })),
    }),
  };
}

/** Creates the methods on providers of a channel that are HTTP endpoints. */
export function methodsOfEndpoints(deps: AddHttpProviderDeps, channel: ProviderChannel) {
  return {
    async add(call: Call, request: { readonly endpoint: string; readonly description: string }) {
      const { endpoint, description } = request;
      const { provider, signingKey } = await addHttpProvider(deps, call, { channel, endpoint, description });
      const { providerId: id, details } = provider;
      return { id, details: toObjectDetails(details), signingKey: signingKey.reveal() };
    },
    async update(
      call: Call,
      request: Named & {
        readonly endpoint: string;
        readonly description: string;
        /** Present when the signing key is to be replaced. */
        readonly expirationSigningKey?: object | undefined;
      },
    ) {
      const { id: providerId, endpoint, description, expirationSigningKey } = request;
      const rotatesKey = expirationSigningKey !== undefined;
      const input = { channel, providerId, endpoint, description, rotatesKey };
      const { provider, signingKey } = await updateHttpProvider(deps, call, input);
      return {
        details: toObjectDetails(provider.details),
        ...(signingKey !== undefined && { signingKey: signingKey.reveal() }),
      };
    },
  };
}
