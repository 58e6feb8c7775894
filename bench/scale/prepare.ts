import pg from "pg";
import { sql } from "../../server/src/database/index.ts";
import { createApi } from "../product/api.ts";
import { type StartedProduct, startProduct } from "../product/start-product.ts";
import { fill, type Where } from "./fill.ts";
import { type Loader, openLoader } from "./loader.ts";

/** A product with so many users, which waits to be resumed. */
export interface Prepared {
  readonly product: StartedProduct;
  readonly where: Where;
  /** Users alone, with all that they are found by. */
  readonly peopleAlonePerSecond: number;
  /** With events, roles and organizations. */
  readonly peoplePerSecond: number;
  readonly bytesPerPerson: number;
}

/** Starts a product on a database of its own (of a PostgreSQL server, or an embedded one), stops and fills it. */
export async function prepare(size: number, serverUrl: string | undefined): Promise<Prepared> {
  const url = serverUrl === undefined ? undefined : await createDatabase(serverUrl, `people_${size}`);
  const product = await startProduct(url === undefined ? {} : { databaseUrl: url });
  const where = await makeProject(product);
  // The embedded database belongs to one process.
  const loader = openLoader(await product.pause(), url);
  try {
    return { product, where, ...(await grow(loader, where, size)) };
  } finally {
    await loader.close();
  }
}

async function grow(loader: Loader, where: Where, size: number) {
  const bytesBefore = await bytesOf(loader);
  const started = performance.now();
  const peopleAlonePerSecond = await fill(loader, where, size);
  await loader.sync();
  const peoplePerSecond = (size * 1000) / (performance.now() - started);
  return { peopleAlonePerSecond, peoplePerSecond, bytesPerPerson: ((await bytesOf(loader)) - bytesBefore) / size };
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new pg.Client(serverUrl);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = name;
  return url.href;
}

async function makeProject({ origin, ownerToken }: StartedProduct): Promise<Where> {
  const api = createApi(origin, ownerToken);
  const organization = (await api("/v2/organizations/_search", {})).result[0];
  const organizationId = organization.id;
  const service = "/service.project.v2.ProjectService";
  const { projectId } = await api(`${service}/CreateProject`, { organizationId, name: "Bench" });
  for (const roleKey of ["admin", "reader"]) {
    await api(`${service}/AddProjectRole`, { projectId, roleKey, displayName: roleKey });
  }
  return { organizationId, projectId };
}

async function bytesOf(loader: Loader): Promise<number> {
  const [row] = await loader.all<{ bytes: number | string }>(
    loader.engine === "sqlite"
      ? sql`select (select page_count from pragma_page_count) * (select page_size from pragma_page_size) as "bytes"`
      : sql`select pg_database_size(current_database()) as "bytes"`,
  );
  return Number(row?.bytes);
}
