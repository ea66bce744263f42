import { AppError } from '../../kernel/app-error.ts'

/** Whoever asks while Redis is away hears 503, not that something is broken on our side. */
export async function orUnavailable<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask()
  } catch (error) {
    const refusal = new AppError('UNAVAILABLE')
    refusal.cause = error
    throw refusal
  }
}
