import { setFlagsFromString } from "node:v8";

/**
 * Keeps V8 from enlarging the part of its heap for new objects. Loading a program makes much that stays and looks like load to V8, which
 * would hold 30 MiB ready for it that an idle server never uses.
 */
export const keepYoungHeapSmall = (): void => setFlagsFromString("--semi-space-growth-factor=1");

/** Lets it grow with the load again (V8's default). */
export const letYoungHeapGrow = (): void => setFlagsFromString("--semi-space-growth-factor=2");
