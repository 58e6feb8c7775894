import type { Instant } from "../../base/clock.ts";
import type { PublicKey, PublishedKeys } from "../../base/jose/index.ts";
import { type Client, isOfStranger, listVerificationKeys } from "../../domain/application/index.ts";

/** The keys with which a client signs, including those published at its own address. */
export interface ClientKeys {
  /** Returns the keys that may verify a signature of the client now. `keyId` is the id that the signature names. */
  find(client: Client, wanted: { readonly now: Instant; readonly keyId: string | undefined }): Promise<PublicKey[]>;
}

/** Creates the reader of client keys. */
export const createClientKeys = ({ publishedKeys }: { readonly publishedKeys: PublishedKeys }): ClientKeys => ({
  find: async (client, wanted) => {
    const own = listVerificationKeys(client, wanted);
    if (client.jwksUri === "") return own;
    const isForStranger = isOfStranger(client);
    return [...own, ...(await publishedKeys.find(client.instanceId, client.jwksUri, { ...wanted, isForStranger }))];
  },
});
