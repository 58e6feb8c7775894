import { endpointPaths } from "../../../web/index.ts";
import type { Guide } from "./guide.ts";

/** The endpoints of SAML 2.0 for applications. */
export const samlEndpoints: readonly Guide[] = [
  {
    name: "saml-metadata",
    part: "saml",
    title: "Metadata",
    address: `GET ${endpointPaths.samlMetadata}`,
    lead: "What a service provider needs to know: its address is also our entity ID. A service provider that reads it again by itself also learns new certificates that way.",
    sections: [
      {
        title: "Example",
        text: ["The answer is XML. The certificate alone, as PEM, is at `/saml/v2/certificate`."],
        answer: `curl $ISSUER${endpointPaths.samlMetadata}`,
      },
    ],
  },
  {
    name: "saml-sign-on",
    part: "saml",
    title: "Single sign-on",
    address: `GET, POST ${endpointPaths.samlSignOn}`,
    lead: "Takes an `AuthnRequest` by HTTP-Redirect or HTTP-POST, and posts the response to the service provider. This is an address for browsers.",
    sections: [
      {
        title: "Parameters",
        rows: [
          ["SAMLRequest", "The request, in base64; deflated in a redirect.", "required"],
          ["RelayState", "Comes back unchanged."],
          ["SigAlg, Signature", "In a redirect: the signature, where the service provider signs its requests."],
        ],
      },
      {
        title: "Sign-in that begins here",
        text: ["A link to this address signs the user in and sends them to the application without a request."],
        answer: `${endpointPaths.samlStart}?application=<application id>&RelayState=<value>`,
      },
    ],
  },
  {
    name: "saml-logout",
    part: "saml",
    title: "Single logout",
    address: `GET, POST ${endpointPaths.samlLogout}`,
    lead: "Takes a `LogoutRequest` or a `LogoutResponse` by HTTP-Redirect or HTTP-POST, and leads the browser through the other service providers of the session.",
    sections: [
      {
        title: "Parameters",
        rows: [
          ["SAMLRequest, SAMLResponse", "The message, in base64; deflated in a redirect.", "required"],
          ["RelayState", "Comes back unchanged."],
          ["SigAlg, Signature", "In a redirect: the signature."],
        ],
      },
    ],
  },
];
