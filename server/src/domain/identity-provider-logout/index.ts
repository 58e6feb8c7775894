export { endByProvider } from "./end-by-provider.ts";
export { leaveForProvider } from "./leave-for-provider.ts";
export { expiredProviderLogouts } from "./provider-logout.store.ts";
export { returnFromProvider } from "./return-from-provider.ts";
