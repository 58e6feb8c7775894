import assert from "node:assert/strict";
import { test } from "node:test";
import {
  elementsIn,
  namespaces,
  signElement,
  statusCodes,
  writeXml,
  type XmlElement,
  xml,
} from "../../../src/base/saml/index.ts";
import { engineOf, isTurnOf } from "../../support/databases/turns.ts";
import type { SamlAnswer, SamlPartner, SeenRequest } from "../../support/identity-provider/saml-partner.ts";
import { eachServer } from "../../support/servers/each-server.ts";
import { attemptWith, begin, comeBackWith, failureOf, knowSaml, partnerOf, reported } from "./support.ts";

const minute = 60_000;

/** What a provider may get wrong, or be made to sign by an attacker; and what the application is told. */
const answers = (now: number, request: SeenRequest): Readonly<Record<string, readonly [SamlAnswer, string]>> => {
  const at = (difference: number) => new Date(now + difference).toISOString();
  return {
    "no signature": [{ signs: "none" }, "token_refused unsigned"],
    "SHA-1": [{ algorithm: "RSA-SHA1" }, "token_refused algorithm"],
    "another issuer": [{ issuer: "https://other.example" }, "issuer_mismatch"],
    "another issuer around it": [{ responseIssuer: "https://other.example" }, "issuer_mismatch"],
    "another audience": [{ audiences: [["https://other.example"]] }, "token_refused audience"],
    "no audience": [{ audiences: [] }, "token_refused audience"],
    "an empty audience": [{ audiences: [[]] }, "token_refused audience"],
    "a second restriction to others": [
      { audiences: [[request.issuer], ["https://other.example"]] },
      "token_refused audience",
    ],
    "another recipient": [{ confirmation: { Recipient: "https://other.example/acs" } }, "token_refused recipient"],
    "no recipient": [{ confirmation: { Recipient: undefined } }, "token_refused recipient"],
    "another destination": [{ response: { Destination: "https://other.example/acs" } }, "token_refused destination"],
    "a signed response without destination": [
      { signs: "response", response: { Destination: undefined } },
      "token_refused destination",
    ],
    "another request": [{ confirmation: { InResponseTo: "_other" } }, "token_refused in_response_to"],
    "no request": [{ confirmation: { InResponseTo: undefined } }, "token_refused in_response_to"],
    "another request around it": [{ response: { InResponseTo: "_other" } }, "token_refused in_response_to"],
    "another confirmation": [{ method: "urn:oasis:names:tc:SAML:2.0:cm:holder-of-key" }, "token_refused confirmation"],
    "no end": [{ confirmation: { NotOnOrAfter: undefined } }, "token_refused time"],
    "an end that has passed": [{ confirmation: { NotOnOrAfter: at(-minute) } }, "token_refused time"],
    "a start that is to come": [{ confirmation: { NotBefore: at(minute + 1) } }, "token_refused time"],
    "conditions that have passed": [{ conditions: { NotOnOrAfter: at(-minute) } }, "token_refused time"],
    "conditions that are to come": [{ conditions: { NotBefore: at(minute + 1) } }, "token_refused time"],
    "an instant that is not one": [{ conditions: { NotBefore: "yesterday" } }, "token_refused malformed"],
    "an unknown condition": [{ moreConditions: [xml("saml:Condition")] }, "token_refused condition"],
    "a session that is over": [{ authentication: { SessionNotOnOrAfter: at(-minute) } }, "token_refused auth_time"],
    "no time of the authentication": [{ authentication: { AuthnInstant: undefined } }, "token_refused auth_time"],
    "another version": [{ assertion: { Version: "1.1" } }, "token_refused unexpected_structure"],
    "another version around it": [{ response: { Version: "1.1" } }, "token_refused unexpected_structure"],
    "an error": [{ status: statusCodes.responder }, "access_denied"],
    "no user": [{ subject: "" }, "subject_missing"],
    "a user with a control character": [{ subject: "a\tb" }, "subject_missing"],
    "a user that is too long": [{ subject: "a".repeat(201) }, "subject_missing"],
    "a user who is another one each time": [{ format: transient }, "subject_missing"],
    "a user of another provider": [{ nameIdValues: { NameQualifier: "https://other.example" } }, "subject_missing"],
    "a user for another service": [{ nameIdValues: { SPNameQualifier: "https://other.example" } }, "subject_missing"],
  };
};
const transient = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";

/** What is just within the rules: none of the refusals above is one of everything. */
const good = (now: number, { issuer }: SeenRequest): Readonly<Record<string, SamlAnswer>> => {
  const at = (difference: number) => new Date(now + difference).toISOString();
  return {
    "a signed assertion": {},
    "a signed response": { signs: "response" },
    "both signed": { signs: "both" },
    "SHA-512": { algorithm: "RSA-SHA512" },
    "several audiences": { audiences: [["https://other.example", issuer], [issuer]] },
    "clocks that differ": {
      confirmation: { NotOnOrAfter: at(-minute + 1), NotBefore: at(minute) },
      conditions: { NotOnOrAfter: at(-minute + 1), NotBefore: at(minute) },
    },
    "known conditions": { moreConditions: [xml("saml:OneTimeUse"), xml("saml:ProxyRestriction", { Count: 0 })] },
    "no issuer around it": { responseIssuer: undefined },
    "no destination around it": { response: { Destination: undefined, InResponseTo: undefined } },
    "a session that goes on": { authentication: { SessionNotOnOrAfter: at(minute) } },
    "a user for us": { nameIdValues: { NameQualifier: "https://saml.example/metadata", SPNameQualifier: issuer } },
  };
};

eachServer((start) => {
  test("answers of a SAML provider", async (t) => {
    const server = await start(t);
    const partner = await partnerOf(server);
    const idpId = await knowSaml(server, partner);
    const sample = await begin(server, partner, idpId);
    const isAsked = (name: string): boolean => isTurnOf(engineOf(server.location), name);

    for (const name of Object.keys(good(server.clock.now, sample)).filter(isAsked)) {
      await t.test(`accepted: ${name}`, async () => {
        const request = await begin(server, partner, idpId);
        const answer = good(server.clock.now, request)[name];
        const told = await comeBackWith(request, await partner.answer(request, answer));
        const { idpInformation } = await reported(server, told);
        assert.equal(idpInformation.userId, "person-1");
      });
    }
    for (const name of Object.keys(answers(server.clock.now, sample)).filter(isAsked)) {
      await t.test(`refused: ${name}`, async () => {
        const request = await begin(server, partner, idpId);
        const [answer, expected] = answers(server.clock.now, request)[name] ?? [{}, ""];
        const told = await comeBackWith(request, await partner.answer(request, answer));
        assert.equal(await failureOf(server, told), expected);
      });
    }

    await t.test("a stranger's key, also when the response brings it", async () => {
      const stranger = await partnerOf(server);
      const told = await attemptWith(server, partner, idpId, { signer: stranger.signer });
      assert.equal(await failureOf(server, told), "token_refused signature");
    });

    for (const [name, forge] of Object.entries(forgeries)) {
      if (!isAsked(name)) continue;
      await t.test(`wrapped or forged: ${name}`, async () => {
        const request = await begin(server, partner, idpId);
        const told = await comeBackWith(request, await forge(partner, request));
        assert.match(await failureOf(server, told), /^(?:token_refused|issuer_mismatch|answer_malformed)/);
      });
    }

    await t.test("each response counts once, and for its own request only", async () => {
      const request = await begin(server, partner, idpId);
      const document = await partner.answer(request);
      await reported(server, await comeBackWith(request, document));
      const again = await comeBackWith(request, document);
      assert.equal(again.page, "", "the state is spent");
      const other = await begin(server, partner, idpId);
      assert.equal(await failureOf(server, await comeBackWith(other, document)), "token_refused in_response_to");
    });

    await t.test("a response to the request of another provider is refused, by any signature", async () => {
      const other = await partnerOf(server, { origin: "https://other.example" });
      const otherId = await knowSaml(server, other);
      const request = await begin(server, partner, idpId);
      const byOther = await comeBackWith(request, await other.answer(request));
      assert.match(await failureOf(server, byOther), /issuer_mismatch|token_refused signature/);
      // Posted at the address of the other provider, with its signature: the state belongs to another address.
      const next = await begin(server, partner, idpId);
      const elsewhere = { ...next, consumer: next.consumer.replace(idpId, otherId) };
      const moved = await comeBackWith(elsewhere, await other.answer(elsewhere));
      assert.equal(await failureOf(server, moved), "issuer_mismatch");
    });
  });
});

type Forge = (partner: SamlPartner, request: SeenRequest) => Promise<string>;

const withoutSignature = (assertion: XmlElement): XmlElement => ({
  ...assertion,
  children: elementsIn(assertion).filter(({ name }) => name !== "Signature"),
});

/** The parts of a good response: around the assertion, the signed assertion, its signature, and a forged assertion. */
async function partsOf(partner: SamlPartner, request: SeenRequest) {
  const response = await partner.build(request);
  const assertion = elementsIn(response).find(({ name }) => name === "Assertion") as XmlElement;
  const signature = elementsIn(assertion).find(({ name }) => name === "Signature") as XmlElement;
  const evil = elementsIn(await partner.build(request, { signs: "none", subject: "admin" })).find(
    ({ name }) => name === "Assertion",
  ) as XmlElement;
  const around = (...inside: XmlElement[]) =>
    writeXml({
      ...response,
      children: [...elementsIn(response).filter(({ name }) => name !== "Assertion"), ...inside],
    });
  return { response, assertion, signature, evil, around };
}

const within = (element: XmlElement, ...inside: XmlElement[]): XmlElement => {
  const [issuer, ...others] = elementsIn(element);
  return { ...element, children: [issuer as XmlElement, ...inside, ...others] };
};

const inObject = (signature: XmlElement, ...inside: XmlElement[]): XmlElement => ({
  ...signature,
  children: [...signature.children, xml("ds:Object", {}, inside)],
});

const forgeries: Readonly<Record<string, Forge>> = {
  // The eight variants of Somorovsky et al. (2012); the first two wrap signed responses.
  "XSW 1": async (partner, request) => {
    const signed = await signElement(await partner.build(request, { signs: "none" }), partner.signer);
    const signature = elementsIn(signed).find(({ name }) => name === "Signature") as XmlElement;
    const evil = await partner.build(request, { signs: "none", subject: "admin" });
    return writeXml(within(evil, inObject(signature, withoutSignature(signed))));
  },
  "XSW 2": async (partner, request) => {
    const signed = await signElement(await partner.build(request, { signs: "none" }), partner.signer);
    const signature = elementsIn(signed).find(({ name }) => name === "Signature") as XmlElement;
    const evil = await partner.build(request, { signs: "none", subject: "admin" });
    return writeXml(within(evil, withoutSignature(signed), signature));
  },
  "XSW 3": async (partner, request) => {
    const { around, evil, assertion } = await partsOf(partner, request);
    return around(evil, assertion);
  },
  "XSW 4": async (partner, request) => {
    const { around, evil, assertion } = await partsOf(partner, request);
    return around(within(evil, assertion));
  },
  "XSW 5": async (partner, request) => {
    const { around, evil, assertion, signature } = await partsOf(partner, request);
    return around(within(evil, signature), withoutSignature(assertion));
  },
  "XSW 6": async (partner, request) => {
    const { around, evil, assertion, signature } = await partsOf(partner, request);
    return around(within(evil, inObject(signature, withoutSignature(assertion))));
  },
  "XSW 7": async (partner, request) => {
    const { around, evil, assertion } = await partsOf(partner, request);
    return around(evil, xml("samlp:Extensions", {}, [assertion]));
  },
  "XSW 8": async (partner, request) => {
    const { around, evil, assertion, signature } = await partsOf(partner, request);
    return around(within(evil, inObject(signature, assertion)));
  },
  "the same ID twice": async (partner, request) => {
    const { around, evil, assertion, signature } = await partsOf(partner, request);
    const attributes = evil.attributes.map((each) =>
      each.name === "ID" ? (assertion.attributes.find(({ name }) => name === "ID") ?? each) : each,
    );
    return around({ ...within(evil, signature), attributes }, withoutSignature(assertion));
  },
  "a comment in the name": async (partner, request) =>
    (await partner.answer(request, { subject: "admin@a.example.evil.example" })).replace(
      "a.example.evil",
      "a.example<!-- -->.evil",
    ),
  "a processing instruction in the name": async (partner, request) =>
    (await partner.answer(request)).replace("person-1", "person<?x?>-1"),
  "CDATA in the name": async (partner, request) =>
    (await partner.answer(request)).replace("person-1", "<![CDATA[person-1]]>"),
  "a changed name": async (partner, request) => (await partner.answer(request)).replace("person-1", "admin"),
  "an added attribute": async (partner, request) =>
    (await partner.answer(request)).replace(
      /<saml:AttributeStatement>/,
      `$&<saml:Attribute Name="email"><saml:AttributeValue>admin@a.example</saml:AttributeValue></saml:Attribute>`,
    ),
  "an entity": async (partner, request) =>
    `<!DOCTYPE a [<!ENTITY b "person-1">]>${(await partner.answer(request)).replace("person-1", "&b;")}`,
  "a bomb of entities": async (partner, request) =>
    `<!DOCTYPE a [<!ENTITY b "${"x".repeat(1000)}"><!ENTITY c "${"&b;".repeat(1000)}">]>${(await partner.answer(request)).replace("person-1", "&c;")}`,
  "a file of ours": async (partner, request) =>
    `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${(await partner.answer(request)).replace("person-1", "&b;")}`,
  HMAC: async (partner, request) =>
    (await partner.answer(request)).replace("xmldsig-more#rsa-sha256", "xmldsig-more#hmac-sha256"),
  "no algorithm": async (partner, request) =>
    (await partner.answer(request)).replace(/(<ds:SignatureMethod) Algorithm="[^"]*"/, "$1"),
  "a good signature removed": async (partner, request) =>
    (await partner.answer(request)).replace(/<ds:Signature .*<\/ds:Signature>/, ""),
  "two assertions, both signed": async (partner, request) => {
    const { around, assertion } = await partsOf(partner, request);
    const other = elementsIn(await partner.build(request)).find(({ name }) => name === "Assertion") as XmlElement;
    return around(assertion, other);
  },
  "no assertion": async (partner, request) => (await partsOf(partner, request)).around(),
  "an assertion alone": async (partner, request) => writeXml((await partsOf(partner, request)).assertion),
  "not XML": async () => "person-1",
  "another document": async () => `<a xmlns="${namespaces.samlp}"/>`,
  "deep nesting": async () => `${"<a>".repeat(10_000)}${"</a>".repeat(10_000)}`,
};
