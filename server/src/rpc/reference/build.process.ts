import process from "node:process";
import { gzipSync } from "node:zlib";
import type { ServiceSummary } from "../../api/index.ts";
import { version } from "../../base/version.ts";
import { loadContract } from "./contract.ts";
import { describeService } from "./describe-service.ts";
import { describeAsOpenApi } from "./openapi.ts";

/** The result of the process: documents, compressed, because they are rarely read. */
export interface Built {
  readonly openApi: Uint8Array;
  /** Services in the order of the contract; each a `ServiceReference`. */
  readonly services: readonly (ServiceSummary & { readonly document: Uint8Array })[];
}

// A separate process: reading the contract takes a second and 100 MB, which are freed with it.
process.once("message", (names: readonly string[]) => {
  void build(new Set(names)).then((built) => process.send?.(built, () => process.disconnect?.()));
});

async function build(built: ReadonlySet<string>): Promise<Built> {
  const isBuilt = (name: string): boolean => built.has(name);
  const contract = await loadContract();
  return {
    openApi: compress(describeAsOpenApi(contract, version, isBuilt)),
    services: contract.services.map((service) => {
      const described = describeService(service, contract.commentOf, isBuilt);
      const { name, text, methodCount, builtCount } = described;
      return { name, text, methodCount, builtCount, document: compress(described) };
    }),
  };
}

const compress = (document: object): Uint8Array => gzipSync(JSON.stringify(document));
