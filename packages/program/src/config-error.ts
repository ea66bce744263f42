/** Refuses a start; the message is a sentence that names the key. */
export class ConfigError extends Error {}

/** Runs a step of the start that depends on a key; if it fails, the error names the key (R2). */
export async function usingKey<Value>(name: string, step: () => Promise<Value>): Promise<Value> {
  try {
    return await step()
  } catch (error) {
    const { message } = ((error as Error).cause ?? error) as Error
    throw new ConfigError(`${name} cannot be used: ${message.replaceAll(/\s+/g, ' ').replace(/\.$/, '')}.`)
  }
}
