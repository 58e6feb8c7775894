import type { DescMethodUnary } from "@bufbuild/protobuf";
import { type MethodAccess, methods, type Route } from "@doorward/api/methods";
import { services } from "@doorward/api/services";
import type { Binding, Handler } from "../contract/index.ts";

/** One method of the contract and, once it is built, what answers it. */
export interface Method {
  /** `service.user.v2.UserService/ListUsers` */
  readonly name: string;
  readonly access: MethodAccess;
  readonly routes: readonly Route[];
  /** HTTP status of a successful REST answer. */
  readonly successStatus: number;
  /** Answers with an empty message and asks nobody (health). REST has these among the operations routes. */
  readonly isHealth: boolean;
  /** Absent while the method is declared but not built: it answers `unimplemented`. */
  readonly implementation: Implementation | undefined;
  /** Its descriptor; services without a built method are loaded when somebody calls them. */
  loadDescriptor(): Promise<DescMethodUnary>;
}

export interface Implementation {
  readonly descriptor: DescMethodUnary;
  readonly handler: Handler;
}

/** All methods by name. */
export type Registry = ReadonlyMap<string, Method>;

/** Joins the bindings of all modules with the contract. Two handlers for a method, or one for none, are mistakes of the program. */
export function createRegistry(bindings: readonly Binding[]): Registry {
  const implementations = collect(bindings);
  const registry = new Map<string, Method>();
  for (const { service, method, access, routes, successStatus } of methods) {
    const name = `${service}/${method}`;
    const implementation = implementations.get(name);
    implementations.delete(name);
    registry.set(name, {
      name,
      access,
      routes,
      successStatus,
      isHealth: method === "Healthz",
      implementation,
      loadDescriptor: async () => {
        if (implementation !== undefined) return implementation.descriptor;
        const { methods: descriptors } = await services[service]();
        return descriptors.find((descriptor) => descriptor.name === method) as DescMethodUnary;
      },
    });
  }
  const [unknown] = implementations.keys();
  if (unknown !== undefined) throw new Error(`${unknown} is bound but not in the contract`);
  return registry;
}

function collect(bindings: readonly Binding[]): Map<string, Implementation> {
  const implementations = new Map<string, Implementation>();
  for (const { service, handlers } of bindings) {
    for (const [localName, handler] of Object.entries(handlers)) {
      const descriptor = service.method[localName];
      const name = `${service.typeName}/${descriptor?.name ?? localName}`;
      if (descriptor?.methodKind !== "unary") throw new Error(`${name} is not a unary method of the contract`);
      if (implementations.has(name)) throw new Error(`${name} has two handlers`);
      implementations.set(name, { descriptor: descriptor as DescMethodUnary, handler });
    }
  }
  return implementations;
}
