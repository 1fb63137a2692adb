/**
 * The pipeline as one function, a line per stage; the only catch for internal errors. Filled in when the stages stand.
 */
export {};
