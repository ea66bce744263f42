import { AppError } from '../../kernel/app-error.ts'

/** While Redis is away callers get 503, not an internal error. */
export async function orUnavailable<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask()
  } catch (error) {
    const refusal = new AppError('UNAVAILABLE')
    refusal.cause = error
    throw refusal
  }
}
