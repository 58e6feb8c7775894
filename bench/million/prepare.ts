import pg from "pg";
import { type Api, createApi } from "../product/api.ts";
import { type StartedProduct, startProduct } from "../product/start-product.ts";
import { openLoader } from "../scale/loader.ts";
import { type Amounts, fillInstance, idAt, type Made, makeOne } from "./instance.ts";

/** A product with a filled database, and its callers. */
export interface Prepared {
  readonly product: StartedProduct;
  readonly made: Made;
  /** Token of an owner of the organization that half of the users are in. */
  readonly organizationOwner: string;
}

/** Starts a product on a database of its own (an embedded one, or of a server), fills it and starts it again. */
export async function prepare(
  amounts: Amounts,
  { serverUrl, checkout }: { readonly serverUrl: string | undefined; readonly checkout?: string },
): Promise<Prepared> {
  const url = serverUrl === undefined ? undefined : await createDatabase(serverUrl);
  const product = await startProduct({ checkout, ...(url !== undefined && { databaseUrl: url }) });
  const owner = createApi(product.origin, product.ownerToken);
  const made = await makeOne(owner);
  // The embedded database belongs to one process.
  const loader = openLoader(await product.pause(), url);
  try {
    await fillInstance(loader, made, amounts);
    await loader.sync();
  } finally {
    await loader.close();
  }
  await product.resume();
  return { product, made, organizationOwner: await appointOwner(owner) };
}

async function createDatabase(serverUrl: string): Promise<string> {
  const client = new pg.Client(serverUrl);
  await client.connect();
  await client.query("create database million");
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = "million";
  return url.href;
}

async function appointOwner(api: Api): Promise<string> {
  const organizationId = idAt("organization", 0);
  const users = "/service.user.v2.UserService";
  const { id: userId } = await api(`${users}/CreateUser`, {
    organizationId,
    username: "bench-owner",
    machine: { name: "bench-owner" },
  });
  await api("/service.internal_permission.v2.InternalPermissionService/CreateAdministrator", {
    userId,
    resource: { organizationId },
    roles: ["ORG_OWNER"],
  });
  const expirationDate = new Date(Date.now() + 86_400_000).toISOString();
  const { token } = await api(`${users}/AddPersonalAccessToken`, { userId, expirationDate });
  return token;
}
