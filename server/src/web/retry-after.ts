/**
 * How long a client should wait that was refused because we have too much to do or lost the database (RFC 9110 §10.2.3), in seconds. Short:
 * both pass within moments as a rule.
 */
export const retryAfterSeconds = 2;

/** Whether an answer with this status says when to come again. */
export const asksToComeAgain = (status: number): boolean => status === 429 || status === 503;
