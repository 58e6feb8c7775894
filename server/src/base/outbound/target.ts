import { parseWebAddress } from "../web-address.ts";

/**
 * The target of a request to another server. Undefined for every text that is none: other schemes, user information, fragments, odd spellings.
 * Says nothing about its address, which is looked at when we connect.
 */
export const parseTarget = (text: string): URL | undefined => (text.includes("#") ? undefined : parseWebAddress(text));
