/** Returns milliseconds. The engine reads no clock: the caller passes `Date.now`, with which the time of authors' code is limited. */
export type Clock = () => number;
