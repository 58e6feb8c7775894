import type { Clock } from "../../base/clock.ts";
import { isLoopbackAddress } from "../../base/outbound/index.ts";
import type { Config } from "../../config/index.ts";
import type { Inspection } from "../../database/index.ts";
import type { Finding } from "./finding.ts";
import { checkHardenedAccess } from "./hardened-access.ts";
import { checkHardenedApplications } from "./hardened-applications.ts";
import { checkHardenedSettings } from "./hardened-settings.ts";
import { hardening } from "./hardening.ts";

/**
 * Compares the settings of the process and, where there is a database, what it holds with the strict values of
 * docs/hardening.md. Each deviation is a warning with its fix; nothing is changed.
 */
export async function checkHardening(
  config: Config,
  inspection: Inspection | undefined,
  clock: Clock,
): Promise<Finding[]> {
  const isStrict = config.profile === "strict";
  const found = [
    ...checkHardenedProcess(config),
    ...(inspection === undefined
      ? []
      : [
          ...(await checkHardenedSettings(inspection.read, isStrict)),
          ...(await checkHardenedAccess(inspection.read, clock())),
          ...(await checkHardenedApplications(inspection.read, isStrict)),
        ]),
  ];
  return found.length > 0 ? found : [hardening.ok("everything is as strict as docs/hardening.md asks")];
}

const rateLimitVariables = {
  authorization: "DOORWARD_RATE_LIMIT_AUTHORIZATION",
  token: "DOORWARD_RATE_LIMIT_TOKEN",
  introspection: "DOORWARD_RATE_LIMIT_INTROSPECTION",
  login: "DOORWARD_RATE_LIMIT_LOGIN",
  signUp: "DOORWARD_RATE_LIMIT_SIGN_UP",
  registration: "DOORWARD_RATE_LIMIT_REGISTRATION",
  keys: "DOORWARD_RATE_LIMIT_KEYS",
} as const satisfies Record<keyof Config["rateLimits"], string>;

function checkHardenedProcess(config: Config): Finding[] {
  const { warning } = hardening;
  const { operations, baseUrl, rateLimits, messageLimits, assertionAudience } = config;
  const found: Finding[] = [];
  const host = operations?.host ?? "localhost";
  if (host !== "localhost" && !isLoopbackAddress(host)) {
    const fix = "listen on 127.0.0.1 or on an address that only your monitoring reaches";
    found.push(warning(`metrics and reasons are served on ${host}`, "DOORWARD_OPERATIONS_LISTEN", fix));
  }
  if (baseUrl.startsWith("http:")) {
    const fix = "use an https origin, with a proxy that ends TLS in front";
    found.push(warning(`the base URL ${baseUrl} has no TLS`, "DOORWARD_BASE_URL", fix));
  }
  for (const [name, limit] of Object.entries(rateLimits)) {
    if (limit > 0) continue;
    const variable = rateLimitVariables[name as keyof typeof rateLimitVariables];
    found.push(warning(`the limit of ${variable} is off`, variable, "remove the setting, or set a number above 0"));
  }
  const messages = { email: "DOORWARD_MAIL_LIMIT", sms: "DOORWARD_SMS_LIMIT" } as const;
  for (const kind of ["email", "sms"] as const) {
    if (messageLimits[kind] > 0) continue;
    const fix = "remove the setting, or set a number above 0";
    found.push(warning(`the limit of ${messages[kind]} is off`, messages[kind], fix));
  }
  if (assertionAudience !== "issuer" && config.profile !== "strict") {
    const fix = "set it to issuer, after clients name the issuer as audience (RFC 7523bis)";
    const message = "client assertions may name an endpoint as audience";
    found.push(warning(message, "DOORWARD_ASSERTION_AUDIENCE", fix));
  }
  return found;
}
