export { collectPersonalData, type PersonalData } from "./collect-personal-data.ts";
