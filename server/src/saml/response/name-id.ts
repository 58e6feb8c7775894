import { createHmac } from "node:crypto";
import { encodeBase64Url } from "../../base/base64url.ts";
import type { Random } from "../../base/random.ts";
import { nameIdFormats, type XmlElement, xml } from "../../base/saml/index.ts";
import { nameIdKindOf, type SamlConfiguration } from "../../domain/saml-configuration/index.ts";
import type { User } from "../../domain/user/index.ts";

/** The name by which a service provider knows a user in a session. Kept there, to end it by that name. */
export interface NameId {
  readonly format: string;
  readonly value: string;
  /** The service provider for which the name was made (SAML Core §2.2.2); absent for names that hold anywhere. */
  readonly spNameQualifier?: string;
}

/** The user of a response as the service provider is told them. */
interface Named {
  readonly user: Pick<User, "userId" | "preferredLoginName">;
  /** Whether the login name may be taken for an address of the user. */
  readonly isLoginNameAddress: boolean;
}

/**
 * Returns the name of a user for a service provider. The administrator's choice wins over the request's. A login name
 * that is not known to be an address of the user does not get the format of addresses: many service providers would
 * take it for one.
 */
export function nameIdOf(
  random: Random,
  configuration: SamlConfiguration,
  { user, isLoginNameAddress }: Named,
  requestedFormat: string | undefined,
): NameId {
  const { entityId } = configuration.partner;
  const kind = nameIdKindOf(configuration, requestedFormat);
  switch (kind) {
    case "email_address":
      return {
        format: isLoginNameAddress ? nameIdFormats.emailAddress : nameIdFormats.unspecified,
        value: user.preferredLoginName,
      };
    case "user_id":
      return { format: nameIdFormats.persistent, value: user.userId };
    case "persistent":
      return { format: nameIdFormats.persistent, value: pairwise(configuration, user), spNameQualifier: entityId };
    case "transient":
      return {
        format: nameIdFormats.transient,
        value: `_${encodeBase64Url(random(20))}`,
        spNameQualifier: entityId,
      };
    default:
      return kind satisfies never;
  }
}

// SAML Core §8.3.7: opaque, and of no use to others. The salt is the application's own, and stays in it.
const pairwise = ({ nameIdSalt }: SamlConfiguration, { userId }: Pick<User, "userId">): string =>
  createHmac("sha256", nameIdSalt).update(userId).digest("base64url");

/** Writes a name. */
export const nameIdElement = ({ format, value, spNameQualifier }: NameId): XmlElement =>
  xml("saml:NameID", { Format: format, SPNameQualifier: spNameQualifier }, [value]);

/** Writes a name as it is kept in a session, and reads it again. */
export const formatNameId = (nameId: NameId): string => JSON.stringify(nameId);
export const parseNameId = (kept: string): NameId => JSON.parse(kept) as NameId;
