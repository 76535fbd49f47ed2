/**
 * Returns the time in milliseconds, like `Date.now`. The engine uses the time only to limit how long author
 * code and custom grammars run.
 */
export type Clock = () => number;
