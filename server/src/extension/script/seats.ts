import type { Room } from "./blocking-runs.ts";
import { createTurns, type Times, type Turn, type Turns } from "./turns.ts";

/** What a run has from its begin to its end, however it computes or waits. */
export type Seat = Turn;

/**
 * A run of an organization that had few seats lately takes five seconds and more, whatever others want. One that always
 * has seats gives way after two seconds.
 */
const times: Times = { patience: 500, memory: 20_000, shortest: 2_000, ahead: 5_000, crowd: 16 };

/** Creates the seats of a process. The shares of some add up to more than there are, so others may have to wait. */
export const createSeats = (room: Room, clock = () => performance.now()): Turns => createTurns({ room, times, clock });
