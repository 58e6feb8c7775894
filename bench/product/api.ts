// biome-ignore lint/suspicious/noExplicitAny: answers are read where they are used, and a member that is missing stops the bench.
export type Api = (path: string, body: object) => Promise<any>;

/**
 * Calls the API with the owner's token: REST routes, and methods as Connect JSON, those of version 1 about an
 * organization. Throws when a call is refused.
 */
export function createApi(origin: string, ownerToken: string, organizationId?: string): Api {
  const ofOrganization = organizationId === undefined ? {} : { "x-service-orgid": organizationId };
  return async (path, body) => {
    const response = await fetch(origin + path, {
      method: "POST",
      headers: { authorization: `Bearer ${ownerToken}`, "content-type": "application/json", ...ofOrganization },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
}
