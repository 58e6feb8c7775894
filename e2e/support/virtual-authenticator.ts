import type { CDPSession, Page } from "playwright-core";

/** An authenticator of the browser itself, as a laptop with a fingerprint reader has one. */
export interface VirtualAuthenticator {
  /** Whether the person is recognised when the browser asks; with `false` every ceremony is as good as cancelled. */
  recognise(isUserVerified: boolean): Promise<void>;
  /** Whether somebody is there who touches it, also when passkeys are only offered for filling in. */
  touch(isTouched: boolean): Promise<void>;
  countCredentials(): Promise<number>;
}

/** Adds one to the browser of a page. */
export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const devtools: CDPSession = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: false, automaticPresenceSimulation: true },
    },
  });
  return {
    recognise: async (isUserVerified) => {
      await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
    touch: async (enabled) => {
      await devtools.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
    },
    countCredentials: async () => {
      const { credentials } = await devtools.send("WebAuthn.getCredentials", { authenticatorId });
      return credentials.length;
    },
  };
}
