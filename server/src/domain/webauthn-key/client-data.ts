import { decodeBase64Url } from "../../base/base64url.ts";
import { isRecord, JsonError, parseJson } from "../../base/json.ts";

/** The client data that the browser reports (WebAuthn §5.8.1). */
interface ClientData {
  readonly challenge: string;
  readonly origin: string;
  /** Whether the request came from a frame of another site. */
  readonly isCrossOrigin: boolean;
}

/** The result of a ceremony in the browser, as far as it is needed before signatures are verified. */
export interface BrowserAnswer {
  /** The authenticator's id of the credential; base64url. */
  readonly webauthnId: string;
  readonly clientData: ClientData;
  readonly userHandle: string | undefined;
  readonly transports: readonly string[];
}

/** Reads the result of a `navigator.credentials` call; undefined when it is malformed. */
export function readBrowserAnswer(credential: Readonly<Record<string, unknown>>): BrowserAnswer | undefined {
  const { id, rawId, type, response } = credential;
  if (typeof id !== "string" || id === "" || id.length > longestId || rawId !== id || type !== "public-key")
    return undefined;
  if (!isRecord(response) || typeof response["clientDataJSON"] !== "string") return undefined;
  const clientData = readClientData(response["clientDataJSON"]);
  const { userHandle, transports } = response;
  if (clientData === undefined || decodeBase64Url(id) === undefined) return undefined;
  return {
    webauthnId: id,
    clientData,
    userHandle: typeof userHandle === "string" && userHandle !== "" ? userHandle : undefined,
    transports: Array.isArray(transports) ? transports.filter(isTransport).slice(0, knownTransports.length) : [],
  };
}

// WebAuthn §5.8.3: an id is at most 1,023 bytes.
const longestId = 1364;
const knownTransports = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"];
const isTransport = (value: unknown): value is string => typeof value === "string" && knownTransports.includes(value);

function readClientData(text: string): ClientData | undefined {
  const data = parse(decodeBase64Url(text)?.toString("utf8") ?? "");
  if (!isRecord(data)) return undefined;
  const { challenge, origin, crossOrigin } = data;
  if (typeof challenge !== "string" || typeof origin !== "string") return undefined;
  return { challenge, origin, isCrossOrigin: crossOrigin === true };
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
