export { isAllowEntry } from "./allow-list.ts";
export { type Connect, createConnect } from "./create-connect.ts";
export { createOutbound, type Outbound, type OutboundRequest, type OutboundResponse } from "./create-outbound.ts";
export { isLocalhostName, isLoopbackAddress, isLoopbackHost } from "./loopback.ts";
export { blockListOf, contains, isNetwork } from "./network.ts";
export { OutboundError, type OutboundFailure } from "./outbound-error.ts";
export { createSystemResolve } from "./system-resolve.ts";
export { parseTarget } from "./target.ts";
export { createTargetRule, type TargetRule } from "./target-rule.ts";
