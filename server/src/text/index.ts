export { type Catalogue, loadCatalogue, loadMessageCatalogue } from "./catalogues.ts";
export { type Direction, directionOf } from "./direction.ts";
export { parseText, type TextValues } from "./fill.ts";
export { createTexts, type Texts } from "./texts.ts";
