import type { DescMethodUnary, Message } from "@bufbuild/protobuf";
import { earlierMethods } from "@doorward/api/methods";
import { services } from "@doorward/api/services";
import type { Adapter, Method, Registry } from "../registry.ts";
import { serviceForms } from "./forms/index.ts";

/**
 * Creates the methods of the earlier forms of services. Each is answered by the method of version 2 of which it is a
 * form.
 */
export function createEarlierMethods(registry: Registry): Registry {
  const made = new Map<string, Method>();
  for (const { service, method, routes } of earlierMethods) {
    const name = `${service}/${method}`;
    const form = serviceForms[service];
    const of = form && registry.get(`${form.of}/${form.methods?.[method] ?? method}`);
    if (of === undefined) throw new Error(`${name} is the form of no method`);
    const loadDescriptor = async (): Promise<DescMethodUnary> => {
      const { methods } = await services[service]();
      return methods.find((descriptor) => descriptor.name === method) as DescMethodUnary;
    };
    const forms = form?.messages ?? {};
    const loadAdapter = async (): Promise<Adapter> => {
      // Loaded with the first call, as all messages are.
      const { convertRequest, convertResponse } = await import("./convert.ts");
      const [earlier, current] = [await loadDescriptor(), await of.loadDescriptor()];
      const response = { from: current.output, to: earlier.output, requested: current.input };
      return {
        toCurrent: (request: Message) => convertRequest(forms, earlier.input, current.input, request),
        fromCurrent: (answer: Message, request: Message) => convertResponse(forms, response, answer, request),
      };
    };
    made.set(name, { ...of, name, routes, loadDescriptor, adapted: { of, loadAdapter } });
  }
  return made;
}
