/** Ends a `switch` over a union: a missing case does not compile, and an unexpected value at run time throws. */
export function assertNever(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`)
}
