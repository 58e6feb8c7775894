import type { DescMethodUnary, Message } from "@bufbuild/protobuf";
import { type MethodAccess, methods, type Route } from "@doorward/api/methods";
import { services } from "@doorward/api/services";
import type { Binding, Handler } from "../api/index.ts";
import { lazy } from "../base/lazy.ts";

/** One method of the contract and, once it is built, its implementation. */
export interface Method {
  /** `service.user.v2.UserService/ListUsers` */
  readonly name: string;
  readonly access: MethodAccess;
  /** Whether the method is about the installation, or about any of its instances, rather than the one of the call. */
  readonly isSystem: boolean;
  readonly routes: readonly Route[];
  /** HTTP status of a successful REST response. */
  readonly successStatus: number;
  /** Answers with an empty message and without authentication (health). REST has these among the operations routes. */
  readonly isHealth: boolean;
  /**
   * Loads the implementation with the first call of any method. Without one, a declared method answers `unimplemented`.
   */
  loadImplementation(): Promise<Implementation | undefined>;
  /** Loads its descriptor; services without an implemented method are loaded on demand. */
  loadDescriptor(): Promise<DescMethodUnary>;
  /** For a method of an earlier form of a service: the method that answers, with other messages. */
  readonly adapted?: { readonly of: Method; loadAdapter(): Promise<Adapter> };
}

/** Converts the messages of a method of an earlier form to those of the method that answers, and back. */
export interface Adapter {
  toCurrent(request: Message): Message;
  fromCurrent(response: Message, request: Message): Message;
}

/** Whether a method is answered in instances that the operator blocked: the API by which the block ends, and health. */
export const answersWhenBlocked = ({ name, isHealth }: Pick<Method, "name" | "isHealth">): boolean =>
  isHealth || name.startsWith("service.system.v1.SystemService/");

export interface Implementation {
  readonly descriptor: DescMethodUnary;
  readonly handler: Handler;
}

/** All methods by name. */
export type Registry = ReadonlyMap<string, Method>;

/**
 * Creates the methods of the contract, joined with the bindings of all modules on first use: messages and adapters are
 * a third of the program's size, and many servers never need them. Two handlers for a method, or a handler without a
 * method, are bugs.
 */
export function createRegistry(loadBindings: () => Promise<readonly Binding[]>): Registry {
  const loadImplementations = lazy(async () => collect(await loadBindings(), registry));
  const registry = new Map<string, Method>();
  for (const { service, method, access, isSystem = false, routes, successStatus } of methods) {
    const name = `${service}/${method}`;
    const loadImplementation = async () => (await loadImplementations()).get(name);
    registry.set(name, {
      name,
      access,
      isSystem,
      routes,
      successStatus,
      isHealth: method === "Healthz",
      loadImplementation,
      loadDescriptor: async () => {
        const { methods: descriptors } = await services[service]();
        return descriptors.find((descriptor) => descriptor.name === method) as DescMethodUnary;
      },
    });
  }
  return registry;
}

function collect(bindings: readonly Binding[], registry: Registry): Map<string, Implementation> {
  const implementations = new Map<string, Implementation>();
  for (const { service, handlers } of bindings) {
    for (const [localName, handler] of Object.entries(handlers)) {
      const descriptor = service.method[localName];
      const name = `${service.typeName}/${descriptor?.name ?? localName}`;
      if (descriptor?.methodKind !== "unary") throw new Error(`${name} is not a unary method of the contract`);
      if (!registry.has(name)) throw new Error(`${name} is bound but not in the contract`);
      if (implementations.has(name)) throw new Error(`${name} has two handlers`);
      implementations.set(name, { descriptor: descriptor as DescMethodUnary, handler });
    }
  }
  return implementations;
}
