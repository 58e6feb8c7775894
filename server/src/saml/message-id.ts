import { encodeBase64Url } from "../base/base64url.ts";
import type { Random } from "../base/random.ts";

/** Returns the ID of a message or assertion: unguessable, and a name in XML (SAML Core §1.3.4). */
export const newMessageId = (random: Random): string => `_${encodeBase64Url(random(20))}`;

const longestId = 256;

/** Whether a text can be the ID of a message: an NCName without odd characters, because it is sent back. */
export const isMessageId = (text: string): boolean => text.length <= longestId && /^[A-Za-z_][\w.-]*$/.test(text);
