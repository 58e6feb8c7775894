export { collectPersonalData } from "./collect-personal-data.ts";
