/** Returns milliseconds. The engine reads no clock of its own: the caller passes `Date.now`, to limit the time of authors' code. */
export type Clock = () => number;
