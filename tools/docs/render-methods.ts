import type { Method, Registry } from "../../server/src/rpc/index.ts";

/**
 * The page `docs/methods.md`: every method of the contract with its REST routes, who may call it, and whether it is
 * built; then the earlier forms of services.
 */
export async function renderMethods(registry: Registry, earlierMethods: Registry): Promise<string> {
  const listed = await Promise.all([...registry.values()].map(lookAt));
  const byService = Object.groupBy(listed, ({ name }) => name.split("/", 1)[0] ?? "");
  const services = Object.entries(byService).map(([service, methods = []]) => ({ service, methods }));
  return `${[
    introduction,
    renderTotals(services),
    ...services.map(({ service, methods }) => renderService(service, methods)),
    renderEarlier([...earlierMethods.values()]),
  ].join("\n\n")}\n`;
}

type Listed = Pick<Method, "name" | "access" | "routes"> & { readonly isBuilt: boolean };

async function lookAt({ name, access, routes, isHealth, loadImplementation }: Method): Promise<Listed> {
  return { name, access, routes, isBuilt: isHealth || (await loadImplementation()) !== undefined };
}

interface Service {
  readonly service: string;
  readonly methods: readonly Listed[];
}

const introduction = `# Methods

<!-- Written by \`npm run docs:methods\` from the contract and the methods that the server has. Do not edit. -->

Every method of the contract. \`built\` methods answer; the others answer \`unimplemented\` (REST: 501) after the check of the permission.
All are served as gRPC, gRPC-Web and Connect at \`/<service>/<method>\`, and as REST at the routes that stand beside them. A name in
*italics* says who may call besides the holders of a permission: *self* is every signed-in user, about themselves; *open* is every caller.
The messages and fields are at \`/docs\` of a running server, and in \`proto/\`.`;

function renderTotals(services: readonly Service[]): string {
  const rows = services.map(({ service, methods }) => {
    return `| [${service}](#${anchor(service)}) | ${countBuilt(methods)} | ${methods.length} |`;
  });
  const all = services.flatMap(({ methods }) => methods);
  return [
    "| Service | Built | Methods |",
    "|---|--:|--:|",
    ...rows,
    `| all | ${countBuilt(all)} | ${all.length} |`,
  ].join("\n");
}

function renderService(service: string, methods: readonly Listed[]): string {
  const rows = methods.map((method) => {
    const { name, access, routes, isBuilt } = method;
    const rest = routes.map(({ verb, path }) => `\`${verb} ${path}\``).join("<br>");
    const permission = access.kind === "permission" ? `\`${access.permission}\`` : `*${access.kind}*`;
    return `| ${name.slice(service.length + 1)} | ${rest} | ${permission} | ${isBuilt ? "built" : "unimplemented"} |`;
  });
  return [
    `## ${service}`,
    "",
    `${countBuilt(methods)} of ${methods.length} built.`,
    "",
    "| Method | REST | Permission | State |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
}

const earlier = `## Earlier forms (deprecated)

Services of \`v2beta\` are deprecated. They are for clients that were written for them: each of their methods is the method of version 2 that stands
beside it, with other messages (\`proto/service/*/v2beta/\`), and has its permission.`;

function renderEarlier(methods: readonly Method[]): string {
  const rows = methods.map(({ name, routes, adapted }) => {
    const rest = routes.map(({ verb, path }) => `\`${verb} ${path}\``).join("<br>");
    return `| ${shortName(name)} | ${rest} | ${shortName(adapted?.of.name ?? "")} | deprecated |`;
  });
  return [earlier, "", "| Method | REST | Method of version 2 | State |", "|---|---|---|---|", ...rows].join("\n");
}

const shortName = (name: string): string => name.replace(/^service\./, "");

const countBuilt = (methods: readonly Listed[]): number => methods.filter(({ isBuilt }) => isBuilt).length;

/** How GitHub and others make the anchor of a heading. */
const anchor = (heading: string): string => heading.toLowerCase().replaceAll(/[^a-z0-9_-]/g, "");
