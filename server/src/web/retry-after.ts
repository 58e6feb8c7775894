/**
 * Seconds after which a client should retry when we are overloaded or lost the database (RFC 9110 §10.2.3). Short,
 * because both usually pass within moments.
 */
export const retryAfterSeconds = 2;

/** Whether a response with this status has a Retry-After header. */
export const asksToComeAgain = (status: number): boolean => status === 429 || status === 503;
