import type { Exchange } from "./recorder.ts";
import type { Planted, Tour } from "./tour.ts";

/** A text in which no secret may be. */
export interface SearchedText {
  readonly where: string;
  readonly text: string;
}

/** Pages that show a secret because it is what they are for. The inbox is the one of a server in development. */
const shownAt: Readonly<Record<string, RegExp>> = {
  "secret of an app": /^\/ui\/(?:account\/totp|login\/add-factor)/,
  "recovery code": /^\/ui\/account\/recovery-codes/,
  "code of a link":
    /^\/ui\/(?:dev\/inbox|login\/(?:verify-email|register\/confirm|password-reset|invitation(?:\/provider)?|initialization|passkey)\?)/,
  "code of a mail": /^\/ui\/dev\/inbox/,
  "code of a text message": /^\/ui\/dev\/inbox/,
  // What an attempt at a provider brought, for the application that began it and has its token.
  "token of a provider": /^\/v2\/idp_intents\/\d+$/,
};

/**
 * Whatever of the tour's secrets is where it should not be, in plain or in a usual encoding; the cookies of browsers as
 * well.
 */
export function findSecrets(tour: Tour, texts: readonly SearchedText[]): string[] {
  const { exchanges, calls, planted, server } = tour;
  const cookies = exchanges.flatMap(({ headers }) =>
    headers.getSetCookie().flatMap((line) => /^doorward-(?:browser|setup)=([^;]+)/.exec(line)?.[1] ?? []),
  );
  const all: Planted[] = [
    ...planted,
    ...[...new Set(cookies)].map((value) => ({ kind: "cookie", value })),
    { kind: "personal access token", value: server.ownerToken },
    { kind: "personal access token", value: server.loginToken },
    { kind: "client secret", value: server.client.clientSecret },
  ];
  const found: string[] = [];
  for (const secret of all) {
    const pattern = patternOf(secret.value);
    for (const { where, text } of texts) if (pattern.test(text)) found.push(`${secret.kind} in ${where}`);
    for (const exchange of [...exchanges, ...calls]) {
      const what = findIn(exchange, secret, pattern);
      if (what !== undefined) found.push(what);
    }
  }
  return [...new Set(found)];
}

function findIn(exchange: Exchange, { kind, givenIn }: Planted, pattern: RegExp): string | undefined {
  const { method, headers, body } = exchange;
  const path = exchange.address.split("?", 1)[0];
  const isMeant = exchange === givenIn || shownAt[kind]?.test(exchange.address) === true;
  if (!isMeant && pattern.test(body)) return `${kind} in the answer to ${method} ${path}`;
  for (const [name, value] of headers) {
    if (!pattern.test(value) || (kind === "cookie" && name === "set-cookie")) continue;
    // The code of an authorization is what the redirect is for.
    if (kind === "authorization code" && name === "location" && value.startsWith("https://shop.example/")) continue;
    // So is that of an attempt at a provider, for an application with a login of its own.
    if (kind === "intent token" && name === "location" && value.startsWith("https://login.example/")) continue;
    return `${kind} in ${name} of the answer to ${method} ${path}`;
  }
  return undefined;
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Short ones stand for themselves only, since any six digits are in some number. */
function patternOf(value: string): RegExp {
  const bytes = Buffer.from(value);
  const isShort = value.length < 12;
  const forms = isShort
    ? [value]
    : [
        value,
        encodeURIComponent(value),
        new URLSearchParams({ "": value }).toString().slice(1),
        bytes.toString("hex"),
        bytes.toString("base64").replaceAll("=", ""),
        bytes.toString("base64url"),
        value.match(/.{1,4}/g)?.join(" ") ?? value,
      ];
  const either = [...new Set(forms)].map(escaped).join("|");
  return new RegExp(isShort ? `(?<![\\w.+/-])(?:${either})(?![\\w.+/-])` : either);
}
