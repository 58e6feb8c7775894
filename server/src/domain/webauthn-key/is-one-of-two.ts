import type { Reader } from "../../database/index.ts";
import { hasSecondFactor } from "../factor/index.ts";
import { hadOwnCredential } from "./key-credential.store.ts";
import type { ReadyCredential } from "./key-credential.ts";

/**
 * Whether a key is one factor although it verified the user: a message stands in for no second factor, nor for a key
 * that the user had already and that two factors demand.
 */
export const isOneOfTwo = async (reader: Reader, instanceId: string, key: ReadyCredential): Promise<boolean> =>
  key.isFromMessage &&
  (key.isBesideOwn === true ||
    (await hasSecondFactor(reader, instanceId, key.userId)) ||
    (key.isBesideOwn === null && (await hadOwnCredential(reader, instanceId, key))));
