import { parseWebAddress } from "../names/web-address.ts";

/**
 * Parses the target of a request to another server. Returns undefined for any other text: other schemes, user
 * information, fragments, odd spellings. Does not check its address, which is checked on connecting.
 */
export const parseTarget = (text: string): URL | undefined => (text.includes("#") ? undefined : parseWebAddress(text));
