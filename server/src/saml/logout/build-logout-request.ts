import { minutes, toIso } from "../../base/clock.ts";
import { type XmlElement, xml } from "../../base/saml/index.ts";
import { entityIdOf } from "../entity.ts";
import { type NameId, nameIdElement } from "../response/name-id.ts";

const lifetime = minutes(5);

/** A request of ours to a service provider to end a session. */
export interface OwnLogoutRequest {
  readonly id: string;
  /** Our origin. */
  readonly issuer: string;
  readonly destination: string;
  readonly nameId: NameId;
  readonly sessionId: string;
  readonly now: number;
}

/** Builds a request to end a session (SAML Core §3.7.1), without a signature. */
export const buildLogoutRequest = ({ id, issuer, destination, nameId, sessionId, now }: OwnLogoutRequest): XmlElement =>
  xml(
    "samlp:LogoutRequest",
    {
      Destination: destination,
      ID: id,
      IssueInstant: toIso(now),
      NotOnOrAfter: toIso(now + lifetime),
      Version: "2.0",
    },
    [xml("saml:Issuer", {}, [entityIdOf(issuer)]), nameIdElement(nameId), xml("samlp:SessionIndex", {}, [sessionId])],
  );
