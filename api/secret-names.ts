/** Which fields of the contract hold secrets by their names, and which only seem to. */
import { type DescField, ScalarType } from "@bufbuild/protobuf";

const words = new Set(
  (
    "password passwords passphrase pin code codes otp totp recovery token tokens pat secret secrets key keys private " +
    "hash hashes serviceaccount assertion credential credentials verifier cookie signature challenge link"
  ).split(" "),
);

// A field that says only what form its value has, of a message that is about a secret.
const forms = /(raw|plain|clear|value|content|details|data|url|uri|text|json|body|verification|response|request)$/;
const messages =
  /Secret|Password|Token|Code|TOTP|OTP|Key|Credential|Callback|Access|Assertion|SAML|Passkey|U2F|WebAuthN|Intent/;

/** Fields that hold no secret although their names suggest it: full names, and why. */
export const harmless: readonly { readonly fields: RegExp; readonly reason: string }[] = [
  { fields: /^service\.text\.|MessageTextRequest\.\w*text$/, reason: "words of a page or message" },
  { fields: /_ids?$/, reason: "an identifier; it opens nothing" },
  { fields: /(\.|_)role_keys?$|[rR]ole\w*\.key$/, reason: "the name of a role" },
  { fields: /etadata\w*\.keys?$|\.metadata_keys$/, reason: "the names of entries of metadata" },
  { fields: /\.((next|previous)_)?page_token$/, reason: "where the next part begins; it opens nothing" },
  { fields: /\.(translation_key|LocalizedMessage\.key)$|LocalizedMessage\.key$/, reason: "the name of a text" },
  { fields: /\.public_key$/, reason: "public" },
  { fields: /\.public_key_credential$/, reason: "a new public key and its attestation" },
  { fields: /\.public_key_credential_(request|creation)_options$/, reason: "what every browser at the page receives" },
  { fields: /_endpoint$|\.metadata_url$|\.assertion_consumer_service$/, reason: "the address of a server" },
  { fields: /_alg$/, reason: "the name of an algorithm" },
  { fields: /\.token_name$/, reason: "the name that a user gave to a passkey" },
  { fields: /(Policy\w*|LegalAndSupportSettings)\.\w*link(_text)?$/, reason: "a link that visitors see" },
  { fields: /ImportDataSuccessOrg\.(app|machine)_keys$/, reason: "identifiers of what was imported" },
  { fields: /Domain\w*Response\.token$/, reason: "published at the domain that it proves" },
  { fields: /\.auth_url$/, reason: "the address to which the browser is sent; what it returns with is the secret" },
];

/** Whether a field has a type that can hold a secret: text, bytes, a JSON object, or lists and maps of them. */
export const canHoldSecret = (field: DescField): boolean =>
  field.scalar === ScalarType.STRING ||
  field.scalar === ScalarType.BYTES ||
  field.message?.typeName === "google.protobuf.Struct";

/** Whether the name of a field, or of its message, suggests that its value is a secret. */
export const soundsSecret = (field: DescField): boolean =>
  canHoldSecret(field) &&
  (field.name.split("_").some((word) => words.has(word)) ||
    (forms.test(field.name) && messages.test(field.parent.typeName)));
