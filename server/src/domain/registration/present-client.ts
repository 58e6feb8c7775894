import { createHash } from "node:crypto";
import type { Reader, Tx } from "../../database/index.ts";
import { type Application, type Client, findApplication, holdApplication } from "../application/index.ts";
import { matchRedirectUri } from "../oidc-configuration/index.ts";
import { hasConsumer } from "../saml-configuration/index.ts";
import { findRegistration } from "./registration.store.ts";

/** A client as it is stored now. */
export interface PresentClient {
  readonly application: Application;
  /**
   * Tells the client from what it was before: a digest of its name, and of all that it or its administrators decide.
   */
  readonly version: string;
}

type ClientKey = Pick<Client, "instanceId" | "clientId" | "applicationId" | "isRegistered">;

/** Finds a client as it is stored now, which a cache of another node may not know yet. */
export async function findPresentClient(reader: Reader, client: ClientKey): Promise<PresentClient | undefined> {
  const application = await findApplication(reader, client.instanceId, client.applicationId);
  return application && toPresent(reader, client, application);
}

/** Step: the same, locked until the unit of work ends, so that the client changes before or afterwards. */
export async function holdPresentClient(tx: Tx, client: ClientKey): Promise<PresentClient | undefined> {
  const application = await holdApplication(tx, client.applicationId, "share");
  return application && toPresent(tx, client, application);
}

/**
 * Whether responses of the request may still be sent where it asked for them: the client may have changed meanwhile.
 */
export const maySendResponseTo = (
  { application }: PresentClient,
  { redirectUri, responseType }: { readonly redirectUri: string; readonly responseType: string },
): boolean => {
  switch (application.kind) {
    case "oidc":
      return matchRedirectUri(application.configuration, redirectUri, responseType) !== undefined;
    case "saml":
      return hasConsumer(application.configuration.partner, redirectUri);
    case "api":
      return false;
    default:
      return application satisfies never;
  }
};

// The registration is read after the application, which is locked by all that changes either.
async function toPresent(
  reader: Reader,
  { instanceId, clientId, isRegistered }: ClientKey,
  application: Application,
): Promise<PresentClient> {
  const found = isRegistered ? await findRegistration(reader, instanceId, clientId) : undefined;
  const { clientName, metadata } = found?.registration ?? {};
  const facts = JSON.stringify([application.name, application.configuration, clientName, metadata]);
  return { application, version: createHash("sha256").update(facts).digest("base64url") };
}
