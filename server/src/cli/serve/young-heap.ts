import { setFlagsFromString } from "node:v8";

/**
 * Keeps V8 from enlarging the part of its heap for new objects. Loading a program creates many objects that stay, which
 * V8 mistakes for load. It would reserve 30 MiB that an idle server never uses.
 */
export const keepYoungHeapSmall = (): void => setFlagsFromString("--semi-space-growth-factor=1");

/** Allows the young heap to grow with the load again (V8's default). */
export const letYoungHeapGrow = (): void => setFlagsFromString("--semi-space-growth-factor=2");
