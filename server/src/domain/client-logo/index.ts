export { type ClientLogos, createClientLogos } from "./client-logos.ts";
export { logoAddressOf, versionOfLogo } from "./logo-address.ts";
