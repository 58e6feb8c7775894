/** What the document says about the server that it came from. */
export interface Environment {
  readonly origin: string;
  /** Client id of the console at this instance. */
  readonly clientId: string;
}

/** Address below which every page of the console is. */
export const basePath = "/ui/console";

/** Reads what the server wrote into the document. Throws when it was not this server that wrote it. */
export function readEnvironment(): Environment {
  const clientId = document.querySelector<HTMLMetaElement>('meta[name="doorward-client-id"]')?.content;
  if (!clientId) throw new Error("the document names no client id");
  return { origin: location.origin, clientId };
}
