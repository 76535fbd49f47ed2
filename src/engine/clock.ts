/** Returns the time in milliseconds, like `Date.now`. The engine uses it only to limit the run time of author code and custom grammars. */
export type Clock = () => number;
