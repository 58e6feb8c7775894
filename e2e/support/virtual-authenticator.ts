import type { CDPSession, Page } from "playwright-core";

/** A passkey as the browser's own tools list it. */
interface HeldCredential {
  readonly userName?: string;
  readonly userDisplayName?: string;
}

/** An authenticator of the browser itself. */
export interface VirtualAuthenticator {
  /**
   * Whether it recognizes the user. With `false` it refuses, and the browser answers as if the user had canceled
   * (WebAuthn §14.5.2).
   */
  recognise(isUserVerified: boolean): Promise<void>;
  /** Whether a user is there to touch it, even when passkeys are only offered for filling in. */
  touch(isTouched: boolean): Promise<void>;
  /** What is wrong with its answers from now on: the browser passes them on, so that the server has to notice. */
  spoil(flaw: Flaw | undefined): Promise<void>;
  /** Forgets the passkeys that it holds for a user. */
  forget(userName: string): Promise<void>;
  countCredentials(): Promise<number>;
  /** The passkeys in it, as it would offer them. */
  credentials(): Promise<readonly HeldCredential[]>;
}

/** Reports that it recognized no user, that it was not touched, or signs with an invalid signature. */
type Flaw = "isBadUV" | "isBadUP" | "isBogusSignature";

const models = {
  /** A laptop with a fingerprint reader, which keeps passkeys. */
  laptop: { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true },
  /** A security key without PIN and fingerprint reader: it notices a touch, not whose it is, and keeps nothing. */
  securityKey: { protocol: "ctap2", transport: "usb", hasResidentKey: false, hasUserVerification: false },
  /** One from before FIDO2. */
  oldSecurityKey: { protocol: "u2f", transport: "usb", hasResidentKey: false, hasUserVerification: false },
} as const;

/** Adds one to the browser of a page. It recognizes no user yet, and is touched. */
export async function addAuthenticator(
  page: Page,
  model: keyof typeof models = "laptop",
): Promise<VirtualAuthenticator> {
  const devtools: CDPSession = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: { ...models[model], isUserVerified: false, automaticPresenceSimulation: true },
  });
  const listed = async () => (await devtools.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
  return {
    recognise: async (isUserVerified) => {
      await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
    touch: async (enabled) => {
      await devtools.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
    },
    spoil: async (flaw) => {
      const flaws = flaw === undefined ? {} : { [flaw]: true };
      await devtools.send("WebAuthn.setResponseOverrideBits", { authenticatorId, ...flaws });
    },
    forget: async (userName) => {
      for (const { credentialId, userName: holder } of await listed()) {
        if (holder === userName) await devtools.send("WebAuthn.removeCredential", { authenticatorId, credentialId });
      }
    },
    countCredentials: async () => (await listed()).length,
    credentials: listed,
  };
}

/**
 * Makes the browser give up on the page's next request, as it does when its dialog is closed. A browser without a
 * window has no dialog, and its tools cannot close one; but a timeout is reported just like a cancellation (WebAuthn
 * §5.1.4.1, `NotAllowedError`), so only the timeout is made short. It holds until the page is left.
 */
export const loseInterest = (page: Page): Promise<void> => page.evaluate(shortenTimeouts);

/** The same for the next page, which asks by itself. */
export const loseInterestInNext = (page: Page): Promise<unknown> =>
  page.addInitScript(`if (!sessionStorage.isLost) { sessionStorage.isLost = 1; (${shortenTimeouts.toString()})(); }`);

function shortenTimeouts(): void {
  const { credentials } = navigator;
  for (const name of ["get", "create"] as const) {
    // biome-ignore lint/suspicious/noExplicitAny: both take options that differ in nothing that counts here.
    const ask = credentials[name].bind(credentials) as any;
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    credentials[name] = (options: any) => ask({ ...options, publicKey: { ...options.publicKey, timeout: 100 } });
  }
}
