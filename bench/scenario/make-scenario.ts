import { type RequestParts, writeRequest } from "../load/request.ts";
import { isOk, type Preparation, same, type Work } from "../load/work.ts";
import type { ProductSeed } from "../product/seed.ts";
import type { Write } from "./product-requests.ts";
import type { Scenario, Target } from "./scenario.ts";

export type ProductTarget = Extract<Target, { kind: "product" }>;
type Prepare = (seed: ProductSeed, write: Write, preparation: Preparation) => Promise<Work>;

/** A scenario of the product. */
export const scenario =
  (prepare: Prepare) =>
  ({ seed, host }: ProductTarget): Scenario => ({
    prepare: (preparation) => prepare(seed, (parts) => writeRequest(host, parts), preparation),
  });

/** Makes a scenario with the same request each time. */
export const always = (parts: (seed: ProductSeed) => RequestParts, isGood: Work["isGood"] = isOk) =>
  scenario(async (seed, write) => same(write(parts(seed)), isGood));
