import type { DescMethodUnary, DescService, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Call } from "../../call/index.ts";

/**
 * Answers one method: takes the validated request, returns the response. Transport and access checks are already done.
 */
export type Handler<Method extends DescMethodUnary = DescMethodUnary> = (
  call: Call,
  request: MessageShape<Method["input"]>,
) => Promise<MessageInitShape<Method["output"]>>;

/**
 * Handlers of some methods of a service, by the method's local name. Each module implements its own methods of any
 * service.
 */
export type Handlers<Service extends DescService> = {
  readonly [Name in keyof Service["method"]]?: Service["method"][Name] extends DescMethodUnary
    ? Handler<Service["method"][Name]>
    : never;
};

/** Some methods of one service with their handlers. */
export interface Binding {
  readonly service: DescService;
  readonly handlers: Readonly<Record<string, Handler>>;
}

/**
 * Handlers that the service has no method for: they do not compile, even where a spread hides their names, and the
 * compiler's message names them.
 */
type Unknown<Service extends DescService, Given> = {
  readonly [Name in Exclude<keyof Given, keyof Service["method"]>]: `the contract has no method ${Name & string}`;
};

/** Binds handlers to a service; the compiler checks every name, request and response. */
export function bind<Service extends DescService, Given extends Handlers<Service>>(
  service: Service,
  handlers: Given & Unknown<Service, Given>,
): Binding {
  return { service, handlers: handlers as unknown as Readonly<Record<string, Handler>> };
}
