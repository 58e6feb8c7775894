import { AsyncLocalStorage } from "node:async_hooks";
import { blockOf } from "./network-of.ts";

/**
 * On whose account work is done, from the widest to the narrowest: instance, then organization where it is known, then
 * the block and the address of the source, or the name of the job. Shares of scarce resources are divided at each
 * level.
 */
export type Payer = readonly string[];

/** Returns the payer of what a source or a job causes in an instance: a source pays as one of its block. */
export const payerOf = (instanceId: string, source: string): Payer => [instanceId, blockOf(source), source];

/** Work that belongs to no instance: the process itself. */
const process: Payer = ["", "process"];

// Everything that a request starts is paid for by the request, however deep it lies: a parameter could be forgotten by
// the next caller, and what has no payer is shared with strangers.
const payers = new AsyncLocalStorage<Payer>();

/** Runs work on the account of a payer, with everything that it starts. */
export const payFor = <Result>(payer: Payer, work: () => Result): Result => payers.run(payer, work);

/**
 * Runs work on the account of the process. For what a request wakes and others wait for as well: a job that delivers
 * for every instance would otherwise wait until the source that happened to wake it may continue.
 */
export const payAsProcess = <Result>(work: () => Result): Result => payers.exit(() => askers.exit(work));

/** Returns the payer of the work that is being done. */
export const currentPayer = (): Payer => payers.getStore() ?? process;

// Beside the payer, because one user may ask from any number of addresses.
const askers = new AsyncLocalStorage<Payer>();

/** Runs work for a caller whose lists are charged to them: instance, then their organization and the user. */
export const askFor = <Result>(asker: Payer, work: () => Result): Result => askers.run(asker, work);

/** Returns the caller for whom lists are read; the payer where there is none. */
export const currentAsker = (): Payer => askers.getStore() ?? currentPayer();
