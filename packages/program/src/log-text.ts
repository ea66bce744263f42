const levels: Record<number, string> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
}

/**
 * A log line for a terminal: `10:04:31 WARN  the message  host=0.0.0.0`, with the stack of an error below it. Short
 * enough to need no package, and strict where it matters: error messages quote what strangers send, and none of their
 * control characters may reach the terminal.
 */
export function logText(line: string): string {
  const entry = entryIn(line)
  if (!entry) return harmless(line)
  const { level, time, msg, err, ...fields } = entry
  const clock = new Date(Number(time)).toLocaleTimeString('en-GB')
  const name = (levels[Number(level)] ?? String(level)).padEnd(5)
  const details = Object.entries(fields).map(([key, value]) => `${key}=${shown(value)}`)
  const words = [`${clock} ${name} ${msg ?? ''}`.trimEnd(), ...details].join('  ')
  return [words, ...errorLines(err).map((text) => `    ${text}`)]
    .map((text) => `${harmless(text)}\n`)
    .join('')
}

function entryIn(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined // Whatever it is, it is shown: a line of the log is never lost.
  }
}

/** As made by `errorForLog`: a stack and, below it, the causes. */
function errorLines(err: unknown): string[] {
  if (typeof err !== 'object' || err === null) return []
  const { type, message, stack, code, cause }: Record<string, unknown> = { ...err }
  const text = typeof stack === 'string' ? stack : [type, message].filter(Boolean).join(': ')
  const [first = '', ...frames] = text.split('\n')
  const [causedBy, ...more] = errorLines(cause)
  return [
    code === undefined ? first : `${first} (${code})`,
    ...frames,
    ...(causedBy === undefined ? [] : [`caused by ${causedBy}`, ...more]),
  ]
}

/** Only values with white space need quotes. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return typeof value === 'string' && /[\s"]|^$/.test(text) ? JSON.stringify(text) : text
}

const harmless = (text: string): string =>
  text.replace(/\p{Cc}/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
