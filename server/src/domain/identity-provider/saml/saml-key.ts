import { days, type Instant } from "../../../base/clock.ts";
import type { Random } from "../../../base/random.ts";
import { generateSamlKeyPair, type SamlKeyPair } from "../../../base/saml/index.ts";

// Partners compare the certificate with our metadata; some also refuse it when it expires.
const lifetime = days(3650);

/** Generates our key at a SAML provider, with its certificate. Takes some tenths of a second: never inside a change. */
export const generateProviderKey = (random: Random, now: Instant): Promise<SamlKeyPair> =>
  generateSamlKeyPair({
    random,
    commonName: "SAML service provider",
    notBefore: now - days(1),
    notAfter: now + lifetime,
  });
