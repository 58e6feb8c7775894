import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";

/** Calls a method for the caller, in an organization; throws `EntryRefused`. */
export type Perform = <Method extends DescMethodUnary>(
  method: Method,
  request: MessageInitShape<Method["input"]>,
  organizationId?: string,
) => Promise<MessageShape<Method["output"]>>;

/** Calls a method for the data of an organization, as its owner could; throws `EntryRefused`. */
export type PerformEntry = <Method extends DescMethodUnary>(
  method: Method,
  request: MessageInitShape<Method["input"]>,
  organizationId: string,
) => Promise<MessageShape<Method["output"]>>;
