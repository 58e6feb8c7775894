import { minutes, seconds, toIso } from "../../base/clock.ts";
import type { Random } from "../../base/random.ts";
import {
  bearerMethod,
  encryptElement,
  readCertificate,
  type SamlSigner,
  signElement,
  type XmlElement,
  xml,
} from "../../base/saml/index.ts";
import { newMessageId } from "../message-id.ts";
import { type SamlStatus, statusUri } from "../status.ts";
import { type NameId, nameIdElement } from "./name-id.ts";

/** Who answers whom, and when. */
export interface ResponseFrame {
  readonly issuer: string;
  /** Address of the endpoint that gets the response. */
  readonly destination: string;
  /** ID of the request; undefined for a response that was not asked for. */
  readonly inResponseTo: string | undefined;
  readonly now: number;
}

/** What an assertion says. */
export interface AssertionContent {
  readonly audience: string;
  readonly nameId: NameId;
  readonly sessionIndex: string;
  readonly authTime: number;
  /** When the session ends at the latest. */
  readonly sessionEnd: number | undefined;
  readonly contextClass: string;
  readonly attributes: XmlElement | undefined;
}

const lifetime = minutes(5);
const clockSkew = seconds(30);

/** Builds a signed assertion for the bearer (SAML Profiles §4.1.4.2). Returns it with its ID. */
export async function buildAssertion(
  random: Random,
  signer: SamlSigner,
  { issuer, destination, inResponseTo, now }: ResponseFrame,
  content: AssertionContent,
): Promise<{ readonly id: string; readonly assertion: XmlElement }> {
  const { audience, nameId, sessionIndex, authTime, sessionEnd, contextClass, attributes } = content;
  const id = newMessageId(random);
  const end = toIso(now + lifetime);
  const assertion = xml("saml:Assertion", { ID: id, IssueInstant: toIso(now), Version: "2.0" }, [
    xml("saml:Issuer", {}, [issuer]),
    xml("saml:Subject", {}, [
      nameIdElement(nameId),
      xml("saml:SubjectConfirmation", { Method: bearerMethod }, [
        xml("saml:SubjectConfirmationData", {
          InResponseTo: inResponseTo,
          NotOnOrAfter: end,
          Recipient: destination,
        }),
      ]),
    ]),
    xml("saml:Conditions", { NotBefore: toIso(now - clockSkew), NotOnOrAfter: end }, [
      xml("saml:AudienceRestriction", {}, [xml("saml:Audience", {}, [audience])]),
    ]),
    xml(
      "saml:AuthnStatement",
      {
        AuthnInstant: toIso(authTime),
        SessionIndex: sessionIndex,
        SessionNotOnOrAfter: sessionEnd === undefined ? undefined : toIso(sessionEnd),
      },
      [xml("saml:AuthnContext", {}, [xml("saml:AuthnContextClassRef", {}, [contextClass])])],
    ),
    attributes,
  ]);
  return { id, assertion: await signElement(assertion, signer) };
}

/** Encrypts an assertion for a certificate of the service provider (SAML Core §6.2). */
export const encryptAssertion = (random: Random, assertion: XmlElement, certificate: string): XmlElement =>
  xml("saml:EncryptedAssertion", {}, [encryptElement(assertion, readCertificate(certificate).key, random)]);

/** Builds a signed message of a kind of response (SAML Core §3.2.2). */
export function buildStatusResponse(
  random: Random,
  signer: SamlSigner,
  name: "Response" | "LogoutResponse",
  frame: ResponseFrame,
  { status, content }: { readonly status: SamlStatus | undefined; readonly content?: XmlElement },
): Promise<XmlElement> {
  return signElement(
    statusResponse(random, name, frame, { status, ...(content !== undefined && { content }) }),
    signer,
  );
}

/** Builds the same without a signature, for a binding that signs otherwise. */
export function statusResponse(
  random: Random,
  name: "Response" | "LogoutResponse",
  { issuer, destination, inResponseTo, now }: ResponseFrame,
  { status, content }: { readonly status: SamlStatus | undefined; readonly content?: XmlElement },
): XmlElement {
  const values = {
    Destination: destination,
    ID: newMessageId(random),
    InResponseTo: inResponseTo,
    IssueInstant: toIso(now),
    Version: "2.0",
  };
  return xml(`samlp:${name}`, values, [xml("saml:Issuer", {}, [issuer]), statusElement(status), content]);
}

const longestMessage = 500;

function statusElement(status: SamlStatus | undefined): XmlElement {
  if (status === undefined) {
    return xml("samlp:Status", {}, [xml("samlp:StatusCode", { Value: statusUri("Success") })]);
  }
  const { code, detail, message } = status;
  return xml("samlp:Status", {}, [
    xml("samlp:StatusCode", { Value: statusUri(code) }, [
      detail && xml("samlp:StatusCode", { Value: statusUri(detail) }),
    ]),
    message === undefined ? undefined : xml("samlp:StatusMessage", {}, [message.slice(0, longestMessage)]),
  ]);
}
