/** A start that must not happen: the sentence names the key. */
export class ConfigError extends Error {}

/** A step of the start that stands or falls with the value of a key: its failure names the key (R2). */
export async function usingKey<Value>(name: string, step: () => Promise<Value>): Promise<Value> {
  try {
    return await step()
  } catch (error) {
    const { message } = ((error as Error).cause ?? error) as Error
    throw new ConfigError(`${name} cannot be used: ${message.replaceAll(/\s+/g, ' ').replace(/\.$/, '')}.`)
  }
}
