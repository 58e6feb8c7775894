import { type Outbound, OutboundError } from "../../base/outbound/index.ts";
import {
  childOf,
  elementsIn,
  readXml,
  SamlRefused,
  type SamlSigner,
  signElement,
  writeXml,
  type XmlElement,
} from "../../base/saml/index.ts";
import type { Call } from "../../call/index.ts";
import type { SamlLogoutSender } from "../../oauth/index.ts";
import type { SamlDeps } from "../deps.ts";
import { newMessageId } from "../message-id.ts";
import { parseNameId } from "../response/name-id.ts";
import { isSuccessful } from "../status.ts";
import { buildLogoutRequest } from "./build-logout-request.ts";

const soap = "http://schemas.xmlsoap.org/soap/envelope/";

export type SenderDeps = Pick<SamlDeps, "samlKeys" | "random" | "originOf" | "clock"> & { readonly outbound: Outbound };

/**
 * Creates the sender that tells a service provider of the end of a session by SOAP (SAML Bindings §3.2): at its server,
 * because the browser may be elsewhere, or closed. One that can only be told through the browser has some minutes to be
 * told there (`next.ts`); then the event of the notice says that it was not.
 */
export function createSamlLogoutSender(deps: SenderDeps): SamlLogoutSender {
  return async ({ notice, client, signal }) => {
    const call: Call = {
      instanceId: notice.instanceId,
      requestId: "logout notices",
      now: deps.clock(),
      language: "en",
    };
    const partner = client.isActive ? client.saml?.partner : undefined;
    if (partner === undefined || notice.nameId === null) return { failure: "client_not_listening", isFinal: true };
    const endpoint = partner.logout.find(({ binding }) => binding === "soap");
    if (endpoint === undefined) return { failure: "only_through_browser" };
    const request = buildLogoutRequest({
      id: newMessageId(deps.random),
      issuer: await deps.originOf(notice.instanceId),
      destination: endpoint.location,
      nameId: parseNameId(notice.nameId),
      sessionId: notice.sessionId,
      now: call.now,
    });
    const signer = (await deps.samlKeys(call)).signer();
    return send(deps.outbound, endpoint.location, { request, signer, signal });
  };
}

interface Sent {
  readonly request: XmlElement;
  readonly signer: SamlSigner;
  readonly signal: AbortSignal;
}

async function send(outbound: Outbound, url: string, { request, signer, signal }: Sent) {
  const message = writeXml(await signElement(request, signer));
  try {
    const { status, bytes } = await outbound({
      url,
      method: "POST",
      headers: {
        "content-type": "text/xml; charset=utf-8",
        soapaction: '"http://www.oasis-open.org/committees/security"',
      },
      body: `<soap:Envelope xmlns:soap="${soap}"><soap:Body>${message}</soap:Body></soap:Envelope>`,
      maximumBytes: 65_536,
      signal,
    });
    if (status !== 200) return { failure: `status_${status}` };
    return (await isSuccess(bytes)) ? {} : { failure: "refused", isFinal: true };
  } catch (error) {
    if (error instanceof OutboundError) return { failure: error.shownFailure, detail: error.failure };
    throw error;
  }
}

// The connection proves who answers, and the answer decides nothing here: only what is noted.
async function isSuccess(answer: Buffer): Promise<boolean> {
  try {
    const envelope = await readXml(answer, { kind: "request", skipsComments: true });
    const body = elementsIn(envelope).find(({ name, namespace }) => name === "Body" && namespace === soap);
    const response = body && childOf(body, "samlp", "LogoutResponse");
    return response !== undefined && isSuccessful(response);
  } catch (error) {
    if (error instanceof SamlRefused) return false;
    throw error;
  }
}
