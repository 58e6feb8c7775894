import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import process from "node:process";
import { accountRoutes } from "./accounts.ts";
import { createApi } from "./api.ts";
import { consentRoutes } from "./consent.ts";
import { deviceRoutes } from "./device.ts";
import { createSite, type Handler } from "./http.ts";
import { keyRoutes } from "./keys.ts";
import { passwordRoutes } from "./passwords.ts";
import { providerRoutes } from "./providers.ts";
import { registerRoutes } from "./register.ts";
import { secondFactorRoutes } from "./second-factor.ts";
import { setUpRoutes } from "./set-up.ts";
import { signInRoutes } from "./sign-in.ts";

/** What the application knows of its server and of itself. */
export interface Settings {
  /** Base URL of Doorward. */
  readonly issuer: string;
  /** Personal access token of a service account with the role IAM_LOGIN_CLIENT. */
  readonly token: string;
  /** Where this application is reached, such as `https://login.example.com`. */
  readonly origin: string;
  /** 32 bytes that seal the cookies. */
  readonly key: Buffer;
  /** The host that passkeys are for; that of the origin when not given. */
  readonly relyingParty?: string;
}

/** Makes the application. */
export function createLoginApp({
  issuer,
  token,
  origin,
  key,
  relyingParty = new URL(origin).hostname,
}: Settings): Server {
  const call = createApi({ issuer, token });
  const file = (name: string, type: string): Handler => {
    const content = readFileSync(new URL(name, import.meta.url));
    return () => ({ file: content, type });
  };
  return createSite({
    origin,
    key,
    routes: {
      ...signInRoutes(call),
      ...accountRoutes(call),
      ...secondFactorRoutes(call),
      ...setUpRoutes(call),
      ...keyRoutes(call, { relyingParty, key }),
      ...passwordRoutes(call, origin),
      ...registerRoutes(call, origin),
      ...providerRoutes(call, origin),
      ...consentRoutes(call),
      ...deviceRoutes(call),
      "GET /style.css": file("style.css", "text/css; charset=utf-8"),
      "GET /key.js": file("key.js", "text/javascript; charset=utf-8"),
    },
  });
}

if (import.meta.main) {
  const { ISSUER = "http://localhost:8080", LOGIN_TOKEN, PORT = "4000", COOKIE_KEY } = process.env;
  const { ORIGIN = `http://localhost:${PORT}`, RELYING_PARTY } = process.env;
  if (LOGIN_TOKEN === undefined) {
    console.error("Set LOGIN_TOKEN; README.md says how to get one.");
    process.exit(2);
  }
  // Without a key of its own every start makes another one, and every browser is a stranger again.
  const key = COOKIE_KEY === undefined ? randomBytes(32) : Buffer.from(COOKIE_KEY, "base64");
  const settings = { issuer: ISSUER, token: LOGIN_TOKEN, origin: ORIGIN, key };
  const app = createLoginApp(RELYING_PARTY === undefined ? settings : { ...settings, relyingParty: RELYING_PARTY });
  app.listen(Number(PORT), "localhost", () => console.log(`Serving the login at ${ORIGIN}`));
}
