import { constants, createCipheriv, type KeyObject, publicEncrypt } from "node:crypto";
import type { Random } from "../random.ts";
import { encodeBase64 } from "./base64.ts";
import { writeXml, xml } from "./build-xml.ts";
import { keyTransports } from "./encryption.ts";
import type { XmlElement } from "./xml-element.ts";

/**
 * Returns an element encrypted for a partner's RSA key (XML Encryption §4): AES-256-GCM with a new key, which travels
 * by RSA-OAEP. The result goes into an `EncryptedAssertion` or the like.
 */
export function encryptElement(element: XmlElement, key: KeyObject, random: Random): XmlElement {
  const contentKey = random(32);
  const iv = random(12);
  const cipher = createCipheriv("aes-256-gcm", contentKey, iv);
  const sealed = Buffer.concat([iv, cipher.update(writeXml(element), "utf8"), cipher.final(), cipher.getAuthTag()]);
  const transported = publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" }, contentKey);
  const encryptedKey = xml("xenc:EncryptedKey", {}, [
    xml("xenc:EncryptionMethod", { Algorithm: keyTransports.older }, [
      xml("ds:DigestMethod", { Algorithm: "http://www.w3.org/2000/09/xmldsig#sha1" }),
    ]),
    cipherData(transported),
  ]);
  return xml("xenc:EncryptedData", { Type: "http://www.w3.org/2001/04/xmlenc#Element" }, [
    xml("xenc:EncryptionMethod", { Algorithm: "http://www.w3.org/2009/xmlenc11#aes256-gcm" }),
    xml("ds:KeyInfo", {}, [encryptedKey]),
    cipherData(sealed),
  ]);
}

const cipherData = (bytes: Buffer): XmlElement =>
  xml("xenc:CipherData", {}, [xml("xenc:CipherValue", {}, [encodeBase64(bytes)])]);
