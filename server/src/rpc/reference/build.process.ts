import process from "node:process";
import { gzipSync } from "node:zlib";
import type { ErrorReference, ServiceOutline } from "../../api/index.ts";
import { version } from "../../base/version.ts";
import { loadContract } from "./contract.ts";
import { describeService, typesOf } from "./describe-service.ts";
import { loadMethodErrors } from "./errors.ts";
import { describeAsOpenApi } from "./openapi.ts";
import { createSearchIndex } from "./search-index.ts";

/** The result of the process: documents, compressed, because they are rarely read. */
export interface Built {
  readonly openApi: Uint8Array;
  readonly generalErrors: readonly ErrorReference[];
  /** A `SearchIndex`. */
  readonly searchIndex: Uint8Array;
  /** Services in the order of the contract. */
  readonly services: readonly BuiltService[];
}

export interface BuiltService {
  readonly outline: ServiceOutline;
  /** A `ServiceReference`. */
  readonly document: Uint8Array;
  /** By name, each a method with its types: readers of one pay for no other. */
  readonly methods: ReadonlyMap<string, Uint8Array>;
}

// A separate process: reading the contract takes a second and 100 MB, which are freed with it.
process.once("message", (names: readonly string[]) => {
  void build(new Set(names)).then((built) => process.send?.(built, () => process.disconnect?.()));
});

async function build(built: ReadonlySet<string>): Promise<Built> {
  const isBuilt = (name: string): boolean => built.has(name);
  const contract = await loadContract();
  const errors = loadMethodErrors();
  const { commentOf } = contract;
  const services = contract.services.map((service) => describeService(service, { commentOf, isBuilt, errors }));
  return {
    openApi: compress(describeAsOpenApi(contract, version, isBuilt)),
    generalErrors: errors.general,
    searchIndex: compress(createSearchIndex(services)),
    services: services.map((service) => {
      const { types: _all, ...reference } = service;
      const { methods } = reference;
      return {
        outline: { ...reference, methods: methods.map(({ name, routes }) => ({ name, routes })) },
        document: compress(reference),
        methods: new Map(methods.map((method) => [method.name, compress({ method, types: typesOf(service, method) })])),
      };
    }),
  };
}

const compress = (document: object): Uint8Array => gzipSync(JSON.stringify(document));
