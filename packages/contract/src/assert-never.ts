/** Ends a `switch` over a union: a case that is missing does not compile, and one that arrives from outside throws. */
export function assertNever(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`)
}
