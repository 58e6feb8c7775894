import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type DescMethod, type DescService, ScalarType } from "@bufbuild/protobuf";

const folder = dirname(fileURLToPath(import.meta.resolve("@zitadel/proto/zitadel/admin_pb.js")));

/** Every service that `@zitadel/client` can call: those of the package with its messages. */
export async function loadServices(): Promise<readonly DescService[]> {
  const files = globSync("**/*_pb.js", { cwd: folder }).filter((file) =>
    readFileSync(join(folder, file), "utf8").includes("serviceDesc("),
  );
  const modules = await Promise.all(files.toSorted().map((file) => import(pathToFileURL(join(folder, file)).href)));
  return modules.flatMap((module) => Object.values(module).filter(isService));
}

const isService = (value: unknown): value is DescService =>
  typeof value === "object" && value !== null && "kind" in value && value.kind === "service";

/** A request that names what does not exist, and says nothing else. */
export function requestOf({ input }: DescMethod): object {
  const ids = input.fields.filter(
    (field) => field.fieldKind === "scalar" && field.scalar === ScalarType.STRING && /(?:^|_)id$/.test(field.name),
  );
  return Object.fromEntries(ids.filter(({ oneof }) => oneof === undefined).map(({ localName }) => [localName, "1"]));
}
