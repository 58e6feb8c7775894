import { days } from "../../base/clock.ts";
import { Secret } from "../../base/secret.ts";
import { tokenKindOf } from "../../call/index.ts";
import { cookieName, parseCookies, serializeCookie, type WebRequest } from "../../web/index.ts";

const name = "setup";

// As long as the longest link: the server decides when a session ends.
const maxAgeSeconds = days(7) / 1000;

/** Returns the secret of the browser that opened a setup link. */
export function readSetupSecret(request: Pick<WebRequest, "header" | "instance">): Secret | undefined {
  const value = parseCookies(request.header("cookie")).get(cookieName(name, isSecure(request)));
  return value === undefined || tokenKindOf(value) !== "setupSession" ? undefined : new Secret(value);
}

/** Returns the `Set-Cookie` value with this secret, or that ends it. */
export const setupCookie = (request: Pick<WebRequest, "instance">, secret: Secret | undefined): string =>
  serializeCookie(name, secret?.reveal() ?? "", {
    isSecure: isSecure(request),
    maxAgeSeconds: secret === undefined ? 0 : maxAgeSeconds,
  });

const isSecure = ({ instance }: Pick<WebRequest, "instance">): boolean => instance.origin.startsWith("https:");
