import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { deployFolder } from '../render/chart.ts'

interface Service {
  image: string
  command?: string[]
  environment: Record<string, string>
  ports?: string[]
  stop_grace_period?: string
}

interface Variable {
  name: string
  isRequired: boolean
}

/** What a person would put into `.env`. */
export const sampleEnvironment: Record<string, string> = {
  POSTGRES_PASSWORD: 'sample0password',
  SESSION_SECRET: 'sample-of-a-session-secret',
  INTERNAL_API_KEY: 'sample-of-an-internal-key',
  S3_SECRET_ACCESS_KEY: 'sample-of-a-secret-access-key',
}

export const composePath = join(deployFolder, 'compose.yaml')

/** The services as Docker would see them: `${NAME:-default}` and `${NAME:?message}` replaced. */
export function readCompose(env: Record<string, string>): {
  services: Record<string, Service>
  variables: Variable[]
} {
  const variables: Variable[] = []
  const fill = (_whole: string, name: string, mark: string, rest: string): string => {
    variables.push({ name, isRequired: mark === '?' })
    if (env[name]) return env[name]
    if (mark === '?') throw new Error(`${name} is required: ${rest}`)
    return rest
  }
  // In texts only, after parsing, as Docker does it: a value that looks like a number stays a text.
  const { services } = parse(readFileSync(composePath, 'utf8'), { merge: true })
  const filled = JSON.parse(JSON.stringify(services), (_key, value) =>
    typeof value === 'string' ? value.replace(/\$\{(\w+):([-?])([^}]*)\}/g, fill) : value,
  )
  return { services: filled, variables }
}
