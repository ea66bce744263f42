import type { Redis } from 'ioredis'
import { AppError } from '../../kernel/app-error.ts'

type Argument = string | number
type Command = (keyCount: number, ...keysAndArguments: Argument[]) => Promise<unknown>

/**
 * Runs a script with its keys, then its arguments. Redis runs each script as one atomic step, which is why we use
 * them.
 */
export type Script<Reply> = (keys: readonly string[], args: readonly Argument[]) => Promise<Reply>

/** The script itself determines its reply; the caller beside it names the type. */
export function defineScript<Reply>(redis: Redis, name: string, lua: string): Script<Reply> {
  redis.defineCommand(name, { lua })
  return (keys, args) =>
    orUnavailable(async () => {
      const commands = redis as unknown as Record<string, Command>
      return (await commands[name]?.(keys.length, ...keys, ...args)) as Reply
    })
}

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
