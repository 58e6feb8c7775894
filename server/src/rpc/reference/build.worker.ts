import { parentPort, workerData } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { version } from "../../base/version.ts";
import { loadContract } from "./contract.ts";
import { describeService } from "./describe-service.ts";
import { describeAsOpenApi } from "./openapi.ts";
import type { ServiceSummary } from "./reference.ts";

/** What the thread answers with: documents, compressed, because they are seldom read. */
export interface Built {
  readonly openApi: Uint8Array;
  /** Services in the order of the contract; each a `ServiceReference`. */
  readonly services: readonly (ServiceSummary & { readonly document: Uint8Array })[];
}

// A thread of its own: the contract takes a second to read and memory that ends with the thread.
const built = new Set(workerData as readonly string[]);
const isBuilt = (name: string): boolean => built.has(name);
const contract = await loadContract();
const compress = (document: object): Uint8Array => gzipSync(JSON.stringify(document));
const answer: Built = {
  openApi: compress(describeAsOpenApi(contract, version, isBuilt)),
  services: contract.services.map((service) => {
    const described = describeService(service, contract.commentOf, isBuilt);
    const { name, text, methodCount, builtCount } = described;
    return { name, text, methodCount, builtCount, document: compress(described) };
  }),
};
parentPort?.postMessage(answer);
