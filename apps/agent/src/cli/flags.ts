import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { Misuse } from '../misuse.ts'
import { invocation } from './environment.ts'
import { nearest } from './nearest.ts'

/**
 * Reads the flags of a command. What it does not know is refused with the nearest flag that it does know, because a
 * misspelt flag that is ignored is worse than an error.
 */
export function readFlags<const Options extends ParseArgsOptionsConfig>(
  command: string,
  args: string[],
  options: Options,
  env: NodeJS.ProcessEnv,
) {
  const see = `See: ${invocation(env)} ${command} --help`
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind === 'positional') throw new Misuse(`${command} takes no argument “${token.value}”. ${see}`)
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined
    if (option === undefined)
      throw new Misuse(`${unknownFlag(command, token.rawName, Object.keys(options))} ${see}`)
    if (option.type === 'boolean' && token.value !== undefined)
      throw new Misuse(`--${token.name} takes no value. ${see}`)
    if (option.type === 'string' && (token.value === undefined || token.value === ''))
      throw new Misuse(`--${token.name} needs a value. ${see}`)
    if (option.type === 'string' && !token.inlineValue && token.value?.startsWith('-'))
      throw new Misuse(
        `--${token.name} needs a value. If it is really “${token.value}”, write --${token.name}=${token.value}`,
      )
  }
  return parseArgs({ args, options, strict: true }).values
}

function unknownFlag(command: string, rawName: string, known: string[]): string {
  const meant = nearest(rawName.replace(/^-+/, ''), known)
  const hint = meant === undefined ? '' : ` Did you mean --${meant}?`
  return `${command} has no flag ${rawName}.${hint}`
}

/** A whole number within bounds. */
export function readWholeNumber(flag: string, text: string, min: number, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new Misuse(`--${flag} has to be a whole number from ${min} to ${max}, not “${text}”.`)
}
