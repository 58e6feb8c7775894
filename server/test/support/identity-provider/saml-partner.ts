import assert from "node:assert/strict";
import { createPrivateKey, type KeyObject } from "node:crypto";
import { systemRandom } from "../../../src/base/random.ts";
import {
  attributeOf,
  bearerMethod,
  encryptElement,
  generateSamlKeyPair,
  isSigned,
  nameIdFormats,
  onlyChildOf,
  readCertificate,
  readPost,
  readRedirect,
  readXml,
  type SamlAlgorithm,
  type SamlSigner,
  signElement,
  statusCodes,
  textIn,
  writeXml,
  type XmlElement,
  xml,
} from "../../../src/base/saml/index.ts";
import { samlMetadata } from "./saml-metadata.ts";

/** What a browser brought to the partner. */
export interface SeenRequest {
  readonly id: string;
  readonly issuer: string;
  readonly consumer: string;
  readonly relayState: string;
  readonly isSigned: boolean;
  readonly message: XmlElement;
}

/** What the partner answers; everything has a good value by default. */
export interface SamlAnswer {
  readonly subject?: string;
  readonly format?: string;
  readonly nameIdValues?: Readonly<Record<string, string | undefined>>;
  readonly attributes?: Readonly<Record<string, string | readonly string[]>>;
  /** Values of the attributes of an element; undefined leaves one out. */
  readonly response?: Values;
  readonly assertion?: Values;
  readonly confirmation?: Values;
  readonly conditions?: Values;
  readonly authentication?: Values;
  readonly method?: string;
  readonly issuer?: string;
  readonly responseIssuer?: string | undefined;
  readonly audiences?: readonly (readonly string[])[];
  readonly moreConditions?: readonly XmlElement[];
  readonly status?: string;
  readonly signs?: "response" | "assertion" | "both" | "none";
  readonly signer?: SamlSigner;
  readonly algorithm?: SamlAlgorithm;
  /** Our certificate, with whose key the assertion is encrypted. */
  readonly encryptFor?: string;
}

type Values = Readonly<Record<string, string | undefined>>;

/** An identity provider that signs what a test tells it to. */
export interface SamlPartner {
  readonly entityId: string;
  readonly signer: SamlSigner;
  readonly metadata: string;
  /** Reads what a browser brought: an address with a query, or the fields of a form. */
  read(request: string | Readonly<Record<string, string>>): Promise<SeenRequest>;
  /** Builds the response to a request as an element, before it is signed. */
  build(request: SeenRequest, answer?: SamlAnswer): Promise<XmlElement>;
  /** Returns the document of a response. */
  answer(request: SeenRequest, answer?: SamlAnswer): Promise<string>;
}

export interface PartnerOptions {
  readonly now: () => number;
  readonly origin?: string;
  readonly logout?: string;
  readonly attributes?: string;
  readonly entityId?: string;
}

/** Creates a partner with a key of its own. */
export async function createSamlPartner({ now, ...options }: PartnerOptions): Promise<SamlPartner> {
  const { origin = "https://saml.example", logout, attributes = "", entityId = `${origin}/metadata` } = options;
  const times = { notBefore: now(), notAfter: now() + 86_400_000 };
  const pair = await generateSamlKeyPair({ random: systemRandom, commonName: "partner", ...times });
  const key: KeyObject = createPrivateKey(pair.privateKey.reveal());
  const signer: SamlSigner = { key, certificate: pair.certificate, algorithm: "RSA-SHA256" };
  const build = async (request: SeenRequest, answer: SamlAnswer = {}): Promise<XmlElement> => {
    const used = {
      ...(answer.signer ?? signer),
      ...(answer.algorithm !== undefined && { algorithm: answer.algorithm }),
    };
    const { signs = "assertion", encryptFor } = answer;
    const bare = assertionFor(entityId, request, answer, now());
    const assertion = signs === "assertion" || signs === "both" ? await signElement(bare, used) : bare;
    const inside =
      encryptFor === undefined
        ? assertion
        : xml("saml:EncryptedAssertion", {}, [
            encryptElement(assertion, readCertificate(encryptFor).key, systemRandom),
          ]);
    const response = responseAround(entityId, request, answer, now(), inside);
    return signs === "response" || signs === "both" ? signElement(response, used) : response;
  };
  return {
    entityId,
    signer,
    metadata: samlMetadata({
      entityId,
      location: `${origin}/sso`,
      certificates: [pair.certificate],
      logout,
      attributes,
    }),
    read: readRequest,
    build,
    answer: async (request, answer) => writeXml(await build(request, answer)),
  };
}

async function readRequest(request: string | Readonly<Record<string, string>>): Promise<SeenRequest> {
  const isRedirect = typeof request === "string";
  const redirect = isRedirect ? await readRedirect(new URL(request).search.slice(1), "SAMLRequest") : undefined;
  const message = await readXml(
    redirect?.message ?? readPost((request as Record<string, string>)["SAMLRequest"] ?? "", "request"),
  );
  assert.equal(message.name, "AuthnRequest");
  return {
    id: attributeOf(message, "ID") ?? "",
    issuer: textIn(onlyChildOf(message, "saml", "Issuer")),
    consumer: attributeOf(message, "AssertionConsumerServiceURL") ?? "",
    relayState: redirect?.relayState ?? (request as Record<string, string>)["RelayState"] ?? "",
    isSigned: redirect === undefined ? isSigned(message) : redirect.signature !== undefined,
    message,
  };
}

const at = (instant: number): string => new Date(instant).toISOString();
let count = 0;

function assertionFor(entityId: string, request: SeenRequest, answer: SamlAnswer, now: number): XmlElement {
  const { subject = "person-1", format = nameIdFormats.persistent, audiences = [[request.issuer]] } = answer;
  count += 1;
  return xml("saml:Assertion", { ID: `_a${count}`, Version: "2.0", IssueInstant: at(now), ...answer.assertion }, [
    xml("saml:Issuer", {}, [answer.issuer ?? entityId]),
    xml("saml:Subject", {}, [
      xml("saml:NameID", { Format: format, ...answer.nameIdValues }, [subject]),
      xml("saml:SubjectConfirmation", { Method: answer.method ?? bearerMethod }, [
        xml("saml:SubjectConfirmationData", {
          InResponseTo: request.id,
          Recipient: request.consumer,
          NotOnOrAfter: at(now + 300_000),
          ...answer.confirmation,
        }),
      ]),
    ]),
    xml("saml:Conditions", { NotBefore: at(now - 1000), NotOnOrAfter: at(now + 300_000), ...answer.conditions }, [
      ...audiences.map((each) =>
        xml(
          "saml:AudienceRestriction",
          {},
          each.map((audience) => xml("saml:Audience", {}, [audience])),
        ),
      ),
      ...(answer.moreConditions ?? []),
    ]),
    xml("saml:AuthnStatement", { AuthnInstant: at(now), SessionIndex: "_session", ...answer.authentication }, [
      xml("saml:AuthnContext", {}, [
        xml("saml:AuthnContextClassRef", {}, ["urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified"]),
      ]),
    ]),
    attributesFor(answer.attributes ?? { mail: "ada@saml.example", givenName: "Ada", sn: "Lovelace" }),
  ]);
}

const attributesFor = (attributes: NonNullable<SamlAnswer["attributes"]>): XmlElement =>
  xml(
    "saml:AttributeStatement",
    {},
    Object.entries(attributes).map(([Name, values]) =>
      xml(
        "saml:Attribute",
        { Name },
        [values].flat().map((value) => xml("saml:AttributeValue", { "xsi:type": "xs:string" }, [value])),
      ),
    ),
  );

function responseAround(
  entityId: string,
  request: SeenRequest,
  answer: SamlAnswer,
  now: number,
  inside: XmlElement,
): XmlElement {
  const { responseIssuer = "responseIssuer" in answer ? undefined : entityId, status = statusCodes.success } = answer;
  const values = {
    ID: `_r${count}`,
    Version: "2.0",
    IssueInstant: at(now),
    Destination: request.consumer,
    InResponseTo: request.id,
    ...answer.response,
  };
  return xml("samlp:Response", values, [
    responseIssuer === undefined ? undefined : xml("saml:Issuer", {}, [responseIssuer]),
    xml("samlp:Status", {}, [xml("samlp:StatusCode", { Value: status })]),
    inside,
  ]);
}

/** Encodes a document as the field of a form. */
export const formField = (document: string): string => Buffer.from(document).toString("base64");
