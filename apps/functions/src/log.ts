/** The part of a logger that functions use: a static message with structured fields. */
export interface Log {
  info(fields: Record<string, unknown>, message: string): void
  warn(fields: Record<string, unknown>, message: string): void
}

/** For functions in the cloud, where each line of the console becomes an entry of the log. */
export const consoleLog = (write: (line: string) => void): Log => ({
  info: (fields, message) => write(JSON.stringify({ level: 'info', ...fields, message })),
  warn: (fields, message) => write(JSON.stringify({ level: 'warn', ...fields, message })),
})
