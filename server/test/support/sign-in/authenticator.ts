import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/**
 * An authenticator in software, with a browser before it: makes credentials and signs with them, and can be told to
 * misbehave.
 */
export interface Authenticator {
  /** What `navigator.credentials.create()` gives back for the options of the server. */
  create(options: CeremonyOptions, given?: Misbehaviour): PublicKeyCredential;
  /** What `navigator.credentials.get()` gives back. */
  get(options: CeremonyOptions, given?: Misbehaviour): PublicKeyCredential;
  /** A second authenticator with the same keys and counters: a clone. */
  clone(): Authenticator;
}

export interface Misbehaviour {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  readonly userHandle?: string | null;
  /** Whether the user was verified; as the options ask when not given. */
  readonly isVerified?: boolean;
  readonly isPresent?: boolean;
  readonly signCount?: number;
  /** Key to sign with instead of the credential's own. */
  readonly key?: KeyObject;
  /** Id to claim instead of the credential's own. */
  readonly id?: string;
  /** COSE algorithm to claim. */
  readonly algorithm?: number;
  /** Attestation statement to send along. */
  readonly attestation?: { readonly format: string; readonly statement: ReadonlyMap<unknown, unknown> };
}

// biome-ignore lint/suspicious/noExplicitAny: options and answers are JSON that the server and the test know.
type CeremonyOptions = any;
interface PublicKeyCredential {
  readonly id: string;
  readonly rawId: string;
  readonly type: "public-key";
  readonly response: Readonly<Record<string, unknown>>;
  readonly clientExtensionResults: Readonly<Record<string, unknown>>;
}

interface Credential {
  readonly id: Buffer;
  readonly rpId: string;
  readonly userHandle: string;
  readonly privateKey: KeyObject;
  signCount: number;
}

const sha256 = (data: Buffer | string): Buffer => createHash("sha256").update(data).digest();
const encode = (data: Buffer | string): string => Buffer.from(data).toString("base64url");

/** A new authenticator without credentials, in a browser at an origin. `counts`: whether it counts its signatures. */
export function createAuthenticator(
  { origin, counts = true }: { readonly origin: string; readonly counts?: boolean },
  credentials: Credential[] = [],
): Authenticator {
  const next = (credential: Credential): number => (counts ? ++credential.signCount : 0);
  return {
    create({ publicKey }, given = {}) {
      const { privateKey, publicKey: key } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const rpId = publicKey.rp.id;
      const credential = { id: randomBytes(32), rpId, userHandle: publicKey.user.id, privateKey, signCount: 0 };
      credentials.push(credential);
      const { x = "", y = "" } = key.export({ format: "jwk" });
      const cose = new Map<unknown, unknown>([
        [1, 2],
        [3, given.algorithm ?? -7],
        [-1, 1],
        [-2, Buffer.from(x, "base64url")],
        [-3, Buffer.from(y, "base64url")],
      ]);
      const size = Buffer.alloc(2);
      size.writeUInt16BE(credential.id.length);
      const wanted = publicKey.authenticatorSelection.userVerification;
      const attested = Buffer.concat([Buffer.alloc(16), size, credential.id, toCbor(cose)]);
      const count = given.signCount ?? next(credential);
      const authData = Buffer.concat([
        authenticatorData(given.rpId ?? rpId, { ...given, wanted, count, attested: true }),
        attested,
      ]);
      const attestation = given.attestation ?? { format: "none", statement: new Map() };
      const object = new Map<string, unknown>([
        ["fmt", attestation.format],
        ["attStmt", attestation.statement],
        ["authData", authData],
      ]);
      return toCredential(given.id ?? encode(credential.id), {
        clientDataJSON: clientData("webauthn.create", publicKey.challenge, origin, given),
        attestationObject: encode(toCbor(object)),
        transports: ["internal", "hybrid"],
      });
    },
    get({ publicKey }, given = {}) {
      const allowed = publicKey.allowCredentials.map(({ id }: { id: string }) => id);
      const credential =
        credentials.find(({ id, rpId }) => rpId === publicKey.rpId && allowed.includes(encode(id))) ?? credentials[0];
      if (credential === undefined) throw new Error("the authenticator has no credential");
      const count = given.signCount ?? next(credential);
      const wanted = publicKey.userVerification;
      const authData = authenticatorData(given.rpId ?? credential.rpId, { ...given, wanted, count, attested: false });
      const data = clientData("webauthn.get", publicKey.challenge, origin, given);
      const signed = Buffer.concat([authData, sha256(Buffer.from(data, "base64url"))]);
      const userHandle = given.userHandle === undefined ? credential.userHandle : given.userHandle;
      return toCredential(given.id ?? encode(credential.id), {
        clientDataJSON: data,
        authenticatorData: encode(authData),
        signature: encode(sign("sha256", signed, given.key ?? credential.privateKey)),
        ...(userHandle !== null && { userHandle }),
      });
    },
    clone: () =>
      createAuthenticator(
        { origin, counts },
        credentials.map((credential) => ({ ...credential })),
      ),
  };
}

const toCredential = (id: string, response: PublicKeyCredential["response"]): PublicKeyCredential => ({
  id,
  rawId: id,
  type: "public-key",
  response,
  clientExtensionResults: {},
});

function clientData(type: string, challenge: string, origin: string, given: Misbehaviour): string {
  const data = { type, challenge, origin, crossOrigin: false };
  return encode(JSON.stringify({ ...data, ...pick(given) }));
}

const pick = ({ type, challenge, origin, crossOrigin }: Misbehaviour) =>
  Object.fromEntries(
    Object.entries({ type, challenge, origin, crossOrigin }).filter(([, value]) => value !== undefined),
  );

// WebAuthn §6.1: hash of the relying party, flags (present, verified, attested), counter.
function authenticatorData(
  rpId: string,
  {
    isPresent = true,
    isVerified,
    wanted,
    count,
    attested,
  }: Misbehaviour & { wanted: string; count: number; attested: boolean },
): Buffer {
  const verified = isVerified ?? wanted !== "discouraged";
  const rest = Buffer.alloc(5);
  rest.writeUInt8((isPresent ? 1 : 0) | (verified ? 4 : 0) | (attested ? 64 : 0));
  rest.writeUInt32BE(count, 1);
  return Buffer.concat([sha256(rpId), rest]);
}

/** CBOR (RFC 8949) of what credentials are made of: small numbers, texts, bytes and maps. */
function toCbor(value: unknown): Buffer {
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(toCbor)]);
  if (value instanceof Map) {
    return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [toCbor(key), toCbor(item)])]);
  }
  throw new TypeError("not in the subset");
}

function head(major: number, size: number): Buffer {
  const type = major << 5;
  if (size < 24) return Buffer.from([type | size]);
  if (size < 256) return Buffer.from([type | 24, size]);
  return Buffer.from([type | 25, size >> 8, size & 255]);
}
