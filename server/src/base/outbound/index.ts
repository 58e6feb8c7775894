export { isAllowEntry } from "./allow-list.ts";
export { createOutbound, type Outbound, type OutboundRequest, type OutboundResponse } from "./create-outbound.ts";
export { OutboundError, type OutboundFailure } from "./outbound-error.ts";
export { parseTarget } from "./target.ts";
