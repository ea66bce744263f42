/** The code of an error, as short as the part that failed tells it. It never holds what was sent. */
export function codeOf(error: unknown): string {
  const { code, name, cause, errors } = error as {
    code?: unknown
    name?: unknown
    cause?: unknown
    errors?: unknown[]
  }
  if (typeof code === 'string' && code !== '') return code
  if (errors?.[0] !== undefined) return codeOf(errors[0])
  if (cause !== undefined) return codeOf(cause)
  return typeof name === 'string' ? name : 'unknown error'
}
