import type { WebRequest, WebRoute } from "../../web/index.ts";

/**
 * Where password managers find the pages of an account: W3C "A Well-Known URL for Changing Passwords" and "Passkey
 * Endpoints Well-Known URL". Programs fetch these without cookies, and learn nothing about users.
 */
export const wellKnownRoutes: readonly WebRoute[] = [
  {
    methods: ["GET"],
    path: "/.well-known/change-password",
    protocol: "plain",
    handler: async () => ({ status: 302, headers: { location: "/ui/account/password", "cache-control": "no-store" } }),
  },
  {
    methods: ["GET"],
    path: "/.well-known/passkey-endpoints",
    protocol: "plain",
    handler: async ({ instance: { origin } }: WebRequest) => ({
      status: 200,
      headers: { "content-type": "application/json", "cache-control": "no-store", "x-content-type-options": "nosniff" },
      body: JSON.stringify({ enroll: `${origin}/ui/account/passkey`, manage: `${origin}/ui/account/methods` }),
    }),
  },
];
