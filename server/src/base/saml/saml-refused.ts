/** Why a document, a message or its signature was refused. */
export type SamlRefusal =
  /** Not well-formed. */
  | "malformed"
  /** Larger or more deeply nested than such documents are, or with more of something (`document-limits.ts`). */
  | "too_large"
  /** Contains what messages never need: a DTD, a comment, a processing instruction, CDATA. */
  | "forbidden_markup"
  /** Two elements have the same ID. */
  | "duplicate_id"
  /** An element is missing, repeated or in the wrong position. */
  | "unexpected_structure"
  /** There is no signature where one is required. */
  | "unsigned"
  /** The signature has a form that is not accepted: another reference, transform or algorithm. */
  | "signature_form"
  /** The algorithm is not accepted. */
  | "algorithm"
  /** No key of the partner made the signature, or something changed. */
  | "signature"
  /** Nothing more precise is said of what cannot be decrypted. */
  | "decryption"
  /** Metadata without what its role needs. */
  | "metadata"
  /** Metadata whose `validUntil` has passed. */
  | "metadata_expired";

/** A refused document or message. Neither message nor cause contains anything of what was refused. */
export class SamlRefused extends Error {
  override readonly name = "SamlRefused";
  readonly reason: SamlRefusal;

  constructor(reason: SamlRefusal) {
    super(`SAML: ${reason}`);
    this.reason = reason;
  }
}
