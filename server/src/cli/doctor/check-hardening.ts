import type { Clock } from "../../base/clock.ts";
import { isLoopbackAddress } from "../../base/outbound/index.ts";
import { type Config, type Setting, type SettingName, settings } from "../../config/index.ts";
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

const rateLimitSettings = {
  authorization: "rateLimitAuthorization",
  token: "rateLimitToken",
  introspection: "rateLimitIntrospection",
  login: "rateLimitLogin",
  signUp: "rateLimitSignUp",
  registration: "rateLimitRegistration",
  keys: "rateLimitKeys",
} as const satisfies Record<keyof Config["rateLimits"], SettingName>;

function checkHardenedProcess(config: Config): Finding[] {
  const { warning } = hardening;
  const { operations, baseUrl, messageLimits, assertionAudience } = config;
  const found: Finding[] = [];
  const host = operations?.host ?? "localhost";
  if (host !== "localhost" && !isLoopbackAddress(host)) {
    const fix = "listen on 127.0.0.1 or on an address that only your monitoring reaches";
    found.push(warning(`metrics and readiness reasons are served on ${host}`, "DOORWARD_OPERATIONS_LISTEN", fix));
  }
  if (baseUrl.startsWith("http:")) {
    const fix = "use an https origin, behind a proxy that terminates TLS";
    found.push(warning(`the base URL ${baseUrl} has no TLS`, "DOORWARD_BASE_URL", fix));
  }
  found.push(...checkRateLimits(config));
  const messages = { email: "DOORWARD_MAIL_LIMIT", sms: "DOORWARD_SMS_LIMIT" } as const;
  for (const kind of ["email", "sms"] as const) {
    if (messageLimits[kind] > 0) continue;
    const fix = "remove the setting, or set a number above 0";
    found.push(warning(`the limit of ${messages[kind]} is off`, messages[kind], fix));
  }
  if (assertionAudience !== settings.assertionAudience.strictValue) {
    const fix = "set it to issuer, once clients name the issuer as audience (RFC 7523bis)";
    const message = "client assertions may name an endpoint as audience";
    found.push(warning(message, "DOORWARD_ASSERTION_AUDIENCE", fix));
  }
  if (config.commandLine === "all") {
    const fix = "set it to browser, or to false if no user signs in with doorward login";
    found.push(
      warning(
        "the command line signs users in by device codes, which strangers can send",
        "DOORWARD_COMMAND_LINE",
        fix,
      ),
    );
  }
  return found;
}

// A limit that the strict profile has a value for is too high above it; any limit can be off.
function checkRateLimits({ rateLimits }: Config): Finding[] {
  return (Object.keys(rateLimitSettings) as (keyof typeof rateLimitSettings)[]).flatMap((name) => {
    const { environment, strictValue }: Setting = settings[rateLimitSettings[name]];
    const limit = rateLimits[name];
    if (limit === 0) {
      const fix = "remove the setting, or set a number above 0";
      return [hardening.warning(`the limit of ${environment} is off`, environment, fix)];
    }
    if (strictValue === undefined || limit <= Number(strictValue)) return [];
    const message = `${environment} permits ${limit} requests a minute`;
    return [hardening.warning(message, environment, `set it to ${strictValue} or less`)];
  });
}
