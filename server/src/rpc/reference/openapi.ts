import type { Route } from "@doorward/api/methods";
import type { Contract, ContractService } from "./contract.ts";
import { commonComponents, introduction } from "./openapi-frame.ts";
import { connectOperation, type NumberedRoute, type OperationDeps, restOperation } from "./operation.ts";
import { shapeOf, variablesOf, withNames } from "./parameters.ts";
import type { Schema } from "./schema-of-rules.ts";
import { componentsOf, type Direction, type SchemaBook } from "./schemas.ts";

/**
 * Returns the OpenAPI 3.1 document of the contract: every REST route, and a Connect call for each method without one.
 * `isBuilt` receives the name of a method (`service.user.v2.UserService/ListUsers`).
 */
export function describeAsOpenApi(contract: Contract, version: string, isBuilt: (name: string) => boolean): Schema {
  const { services, commentOf } = contract;
  const book: SchemaBook = { roots: rootsOf(services), commentOf, components: new Map(), bodies: new Map() };
  const deps: OperationDeps = { book, commentOf, isBuilt };
  const paths = createPaths();
  for (const method of services.flatMap((service) => service.methods)) {
    const { row } = method;
    for (const [index, route] of row.routes.entries()) {
      const { path, names } = paths.nameVariables(route);
      const numbered: NumberedRoute = { route, names, number: index + 1 };
      paths.put(path, route.verb, restOperation(deps, method, numbered));
    }
    if (row.routes.length === 0) paths.put(`/${row.service}/${row.method}`, "POST", connectOperation(deps, method));
  }
  const common = commonComponents();
  return {
    openapi: "3.1.1",
    info: {
      title: "Doorward",
      version,
      description: introduction,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    // Relative to the document's own address: one document serves every instance.
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    tags: services.map(({ descriptor }) => ({
      name: descriptor.typeName,
      description: commentOf(descriptor.typeName),
    })),
    paths: paths.all(),
    components: { ...common, schemas: { ...componentsOf(book), ...(common["schemas"] as Schema) } },
  };
}

/** Returns the requests and responses of methods, with their direction: these have plain names in the document. */
function rootsOf(services: readonly ContractService[]): Map<string, Direction> {
  const roots = new Map<string, Direction>();
  const put = (name: string, direction: Direction): void => {
    const known = roots.get(name);
    if (known !== undefined && known !== direction) throw new Error(`${name} is both ${known} and ${direction}`);
    roots.set(name, direction);
  };
  for (const { descriptor, row } of services.flatMap((service) => service.methods)) {
    put(descriptor.input.typeName, "request");
    put(descriptor.output.typeName, row.routes.length === 0 ? "connect" : "rest");
  }
  return roots;
}

interface Paths {
  /** Returns the path of a route, with the variable names of the first route of the same shape. */
  nameVariables(route: Route): { readonly path: string; readonly names: readonly string[] };
  put(path: string, verb: Route["verb"], operation: Schema): void;
  all(): Schema;
}

function createPaths(): Paths {
  const shapes = new Map<string, { readonly path: string; readonly names: readonly string[] }>();
  const items = new Map<string, Record<string, Schema>>();
  return {
    nameVariables: ({ path: template }) => {
      const shape = shapeOf(template);
      const known = shapes.get(shape);
      if (known !== undefined) return known;
      const names = variablesOf(template).map(toCamelCase);
      const named = { path: withNames(template, names), names };
      shapes.set(shape, named);
      return named;
    },
    put: (path, verb, operation) => {
      const item = items.get(path) ?? {};
      items.set(path, item);
      item[verb.toLowerCase()] = operation;
    },
    all: () => Object.fromEntries([...items].sort(([left], [right]) => (left < right ? -1 : 1))),
  };
}

const toCamelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
