/**
 * Symmetric algorithms by their URI (XML Encryption §5.2). CBC proves nothing of what it decrypts. Triple DES is all
 * that some providers have; each content has a key of its own, so its short blocks do not repeat.
 */
export const contentCiphers = {
  "http://www.w3.org/2009/xmlenc11#aes128-gcm": { cipher: "aes-128-gcm", keySize: 16, ivSize: 12, isAuthentic: true },
  "http://www.w3.org/2009/xmlenc11#aes192-gcm": { cipher: "aes-192-gcm", keySize: 24, ivSize: 12, isAuthentic: true },
  "http://www.w3.org/2009/xmlenc11#aes256-gcm": { cipher: "aes-256-gcm", keySize: 32, ivSize: 12, isAuthentic: true },
  "http://www.w3.org/2001/04/xmlenc#aes128-cbc": { cipher: "aes-128-cbc", keySize: 16, ivSize: 16, isAuthentic: false },
  "http://www.w3.org/2001/04/xmlenc#aes192-cbc": { cipher: "aes-192-cbc", keySize: 24, ivSize: 16, isAuthentic: false },
  "http://www.w3.org/2001/04/xmlenc#aes256-cbc": { cipher: "aes-256-cbc", keySize: 32, ivSize: 16, isAuthentic: false },
  "http://www.w3.org/2001/04/xmlenc#tripledes-cbc": {
    cipher: "des-ede3-cbc",
    keySize: 24,
    ivSize: 8,
    isAuthentic: false,
  },
} as const satisfies Record<string, ContentCipher>;

export interface ContentCipher {
  readonly cipher: string;
  readonly keySize: number;
  /** Size of the initialization vector; with CBC that of a block. */
  readonly ivSize: number;
  /** Whether a changed ciphertext is recognized. */
  readonly isAuthentic: boolean;
}

/** Transport of the content key: RSA-OAEP, with MGF1 over SHA-1 where the URI is the older one (§5.5.2). */
export const keyTransports = {
  older: "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p",
  newer: "http://www.w3.org/2009/xmlenc11#rsa-oaep",
} as const;
