import type { ContextDemand } from "../../domain/session/index.ts";
import type { PartnerClient } from "../find-partner.ts";
import type { SamlStatus } from "../status.ts";

/** Where the answer to a request goes: proven by the stored metadata. Errors can be sent there as well. */
export interface ResponseTarget extends PartnerClient {
  /** Address of the assertion consumer. */
  readonly location: string;
  /** ID of the request; undefined when the user began here. */
  readonly requestId: string | undefined;
  readonly relayState: string | undefined;
}

/** A checked request to sign a user in (SAML Core §3.4.1). */
export interface AuthnRequest extends ResponseTarget {
  readonly binding: "redirect" | "post";
  readonly isForced: boolean;
  readonly isPassive: boolean;
  /** The requested format; undefined for none, or any. */
  readonly nameIdFormat: string | undefined;
  /** What the sign-in has to prove. */
  readonly context: ContextDemand;
  /** Classes that were asked for, as they were spelled: one of them describes the sign-in, if it fits. */
  readonly contextClasses: readonly string[];
}

/** A request whose response can be sent, but that is answered with an error. */
export interface RefusedRequest {
  readonly target: ResponseTarget;
  readonly status: SamlStatus;
}
