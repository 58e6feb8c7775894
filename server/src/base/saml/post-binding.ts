import { decodeBase64, encodeBase64 } from "./base64.ts";
import { writeXml } from "./build-xml.ts";
import { type DocumentKind, documentLimits } from "./document-limits.ts";
import { SamlRefused } from "./saml-refused.ts";
import type { XmlElement } from "./xml-element.ts";

/** Decodes a message that a form posted (SAML Bindings §3.5.4). Throws SamlRefused. */
export function readPost(value: string, kind: DocumentKind): Buffer {
  const message = decodeBase64(value);
  if (message === undefined) throw new SamlRefused("malformed");
  if (message.length > documentLimits[kind].bytes) throw new SamlRefused("too_large");
  return message;
}

/** Encodes a message for the field of a form. */
export const writePost = (message: XmlElement): string => encodeBase64(writeXml(message));
